// @ts-check
import { language, languages } from '../lib/i18n.js';
import { button } from './buttons.js';

/**
 * @param {(tag: string) => unknown} choose
 */
export function languageMenu(choose) {
  const [other] = Object.keys(languages).filter((tag) => tag !== language);
  return button(languages[other], () => choose(other), 'plain', { lang: other, id: 'language' });
}
