// @ts-check
import { confirm } from '../components/dialog.js';
import { tooLong } from '../components/field.js';
import { APIError, createRSVP } from '../lib/api.js';
import { announce, byId, focusOn, h } from '../lib/dom.js';
import { draft, keepDraft, keepUnanswered } from '../lib/drafts.js';
import { refusals } from '../lib/field-errors.js';
import { t } from '../lib/i18n.js';
import { expires } from '../lib/kept.js';
import { blank, limits } from '../lib/limits.js';
import { newKey, repeat } from '../lib/retry.js';
import { save } from '../lib/saved.js';
import { singleFlight } from '../lib/single-flight.js';
import { unknownEvent } from './errors.js';

/** @param {string} eventToken */
const draftName = (eventToken) => `rsvp:${eventToken}`;

/** What was typed before. @param {string} eventToken */
export const typed = (eventToken) => draft(draftName(eventToken)) ?? '';

/** @param {string} name */
const simplified = (name) => name.normalize('NFKC').trim().toLocaleLowerCase();

/**
 * An RSVP as this device remembers it.
 * @param {import('../lib/api.js').EventDetails} event
 * @param {{ rsvpToken: string, name: string }} rsvp
 */
export const remembered = ({ eventToken, title, dateTime, timezone }, { rsvpToken, name }) =>
  ({ eventToken, rsvpToken, name, title, dateTime, timezone });

/**
 * RSVPs that are written and sent from a page of an event.
 * @param {import('./event-view.js').State} state
 * @param {{ page: import('../app.js').Page, eventToken: string, draw: () => void, refresh: () => Promise<boolean> }} context
 */
export function submissions(state, { page, eventToken, draw, refresh }) {
  const { signal } = page;
  let sendNow = () => {};

  /** @param {string} name */
  function setName(name) {
    state.name = name;
    keepDraft(draftName(eventToken), name);
    if (name) expires(state.event);
  }

  const checkName = () => (blank(state.name) ? t('check.name') : tooLong(state.name, limits.name));

  /** @param {import('../lib/drafts.js').SentRSVP} sent */
  async function send(sent) {
    // Stored before it is sent: after a reload it is sent again.
    keepUnanswered(sent.key, sent);
    expires(state.event);
    state.sending = { ...sent };
    draw();
    let rsvp;
    try {
      rsvp = await repeat(() => createRSVP(eventToken, sent.name, sent.key), {
        signal,
        waiting(error, now) {
          const first = !state.sending?.words;
          state.sending = { ...sent, words: error.words };
          sendNow = now;
          draw();
          if (first) focusOn(byId('waiting-title'));
        },
      });
    } catch (error) {
      if (!(error instanceof APIError)) throw error;
      // The page was left without a certain answer; the next page sends it again.
      if (error.uncertain) return;
      keepUnanswered(sent.key, null);
      state.sending = null;
      await refused(error, sent.name);
      return;
    }
    save({ rsvps: [remembered(state.event, rsvp)] });
    keepUnanswered(sent.key, null);
    // Another name may have been typed in the meantime.
    if (typed(eventToken) === sent.name) setName('');
    if (signal.aborted) return;
    Object.assign(state, {
      sending: null, error: '', fresh: 1, moment: state.rsvps.length ? null : 0,
      event: { ...state.event, attendeeCount: state.event.attendeeCount + 1 },
    });
    draw();
    focusOn(byId('yours-title'));
    announce(t('rsvp.done', { name: sent.name }));
    // Not awaited: the next name can be sent at once.
    number();
  }

  /** The guest's number is the count after the answer, unless something else happened meanwhile. */
  async function number() {
    if (!await refresh() || signal.aborted || state.moment !== 0) return;
    state.moment = state.event.attendeeCount;
    draw();
    announce(t('yours.number', { n: state.moment }));
  }

  /** @param {APIError} error @param {string} name */
  async function refused(error, name) {
    if (signal.aborted) return undefined;
    if (error.kind === 'missing') return unknownEvent(page, eventToken);
    if (error.code === 'event-cancelled' || error.code === 'event-expired') {
      // The service's clock decides; this one may be behind.
      state.closed = error.code === 'event-expired';
      state.event = { ...state.event, cancelled: !state.closed };
      draw();
      focusOn(document.querySelector('#state h2'));
      await refresh();
      return undefined;
    }
    state.error = refusals(error, { name: checkName }).name ?? '';
    state.problems = state.error ? [] : [error.words, t('rsvp.notSent', { name })];
    if (blank(state.name)) setName(name);
    draw();
    return state.error && focusOn(byId('name'));
  }

  return {
    setName,
    send,
    /** @param {string} name */
    type(name) {
      setName(name);
      if (state.error) state.error = checkName();
      draw();
    },
    submit: singleFlight(async () => {
      if (state.sending) return;
      state.problems = [];
      state.error = checkName();
      draw();
      if (state.error) return focusOn(byId('name'));
      const { name } = state;
      if (state.rsvps.some((rsvp) => simplified(rsvp.name) === simplified(name)) && !await confirm({
        title: t('again.title', { name: name.trim() }), body: [h('p', {}, t('again.text'))], yes: t('again.yes'), no: t('again.no'), level: 'primary',
      })) return undefined;
      return send({ eventToken, name, key: newKey() });
    }),
    sendNow: () => sendNow(),
  };
}
