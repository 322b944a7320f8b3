// @ts-check
import { h } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { agoText } from '../lib/time.js';
import { button } from './buttons.js';
import { notice } from './notice.js';

/** @typedef {import('../lib/events.js').AsOf} AsOf */

/** @param {AsOf} asOf */
export const asOfText = ({ at }) => t('asOf.time', { time: agoText(at) });

/**
 * The notice above details that the service has not confirmed: their age, and why.
 * @param {AsOf | null} asOf
 * @param {() => void} again
 */
export const asOfNotice = (asOf, again) => asOf && notice('',
  h('p', {}, h('strong', {}, asOfText(asOf)), ' · ', asOf.error.words), button(t('unreachable.again'), again, 'plain'));
