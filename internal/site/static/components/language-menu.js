// @ts-check
import { h } from '../lib/dom.js';
import { htmlLang, language, languages, t } from '../lib/i18n.js';

/** @param {(tag: string) => unknown} choose */
export const languageMenu = (choose) => h('select', {
  class: 'language', id: 'language', 'aria-label': t('site.language'), value: language,
  onchange: (/** @type {any} */ { target }) => choose(target.value),
}, Object.entries(languages).map(([tag, name]) => h('option', { value: tag, lang: htmlLang(tag) }, name)));
