// @ts-check
import { h } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { rsvpURL } from '../lib/urls.js';
import { copyButton } from './buttons.js';

/**
 * A guest's own link, with which another device can cancel the RSVP.
 * @param {import('../lib/saved.js').SavedRSVP[]} rsvps
 */
export const guestLink = (rsvps) => h('details', { id: 'other-device' },
  h('summary', { class: 'plain' }, t('guestLink.title')),
  h('p', { class: 'hint' }, t('guestLink.text')),
  h('div', { class: 'row' }, rsvps.map((rsvp) => copyButton(
    rsvps.length > 1 ? t('guestLink.copyName', { name: rsvp.name }) : t('guestLink.copy'), rsvpURL(rsvp), 'secondary'))));
