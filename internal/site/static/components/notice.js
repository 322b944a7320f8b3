// @ts-check
import { h } from '../lib/dom';
import { t } from '../lib/i18n';
import { agoText } from '../lib/time';
import { button } from './buttons';
import { tally } from './tally';

/**
 * A message. Screen readers announce it only inside a live region.
 * @param {'good' | 'bad' | ''} kind
 * @param {...import('../lib/dom').Child} children
 */
export const notice = (kind, ...children) => h('div', { class: `notice ${kind}`.trim() }, ...children);

/**
 * A page with one message.
 * @param {string} title
 * @param {string} text
 * @param {...import('../lib/dom').Child} actions
 */
export const plainPage = (title, text, ...actions) =>
  h(
    'section',
    { class: 'poster full', id: 'message' },
    h(
      'div',
      { class: 'wrap' },
      tally(0, { ghosts: 5 }),
      h('h1', { tabindex: -1 }, title),
      h('p', { class: 'lead' }, text),
      h('div', { class: 'row' }, ...actions),
    ),
  );

export const loading = () =>
  h(
    'section',
    { class: 'poster full', id: 'loading', 'aria-busy': 'true' },
    h('div', { class: 'wrap' }, h('h1', { class: 'short' }, t('event.loading')), tally(0, { ghosts: 5 })),
  );

/** @typedef {import('../lib/events').AsOf} AsOf */

/** @param {AsOf} asOf */
export const asOfText = ({ at }) => t('asOf.time', { time: agoText(at) });

/**
 * The notice above unconfirmed details: their age, and the failure.
 * @param {AsOf | null} asOf
 * @param {() => void} again
 */
export const asOfNotice = (asOf, again) =>
  asOf &&
  notice(
    '',
    h('p', {}, h('strong', {}, asOfText(asOf)), ' · ', asOf.error.words),
    button(t('unreachable.again'), again, 'plain'),
  );
