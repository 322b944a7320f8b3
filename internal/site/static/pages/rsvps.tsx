import type { Page } from '../app';
import type { APIError } from '../lib/api';
import type { SavedRSVP } from '../lib/saved';
import type { EventState } from './event-view';
import { confirm } from '../components/dialog';
import { tooLong } from '../components/field';
import { settle } from '../components/moved';
import { announce, byId, focusOn, h } from '../lib/dom';
import { keepDraft, textDraft } from '../lib/drafts';
import { t } from '../lib/i18n';
import { expires } from '../lib/event-data';
import { targetOf } from '../lib/events';
import { nameDraft } from '../lib/handlers';
import { limits } from '../lib/limits';
import { add, drop, items, newKey, onOutbox } from '../lib/outbox';
import { blank, sameName } from '../lib/text';
import { endUndo, withdraw } from '../lib/undo';
import { eventPath } from '../lib/urls';
import { unknownEvent } from './errors';

/** The draft of the name. */
export const typed = (eventToken: string) => textDraft(nameDraft(eventToken));

const row = (rsvpToken: string) => byId(`rsvp-${rsvpToken}`);

/**
 * Makes and withdraws RSVPs on the page of an event. The outbox sends both; a withdrawal
 * can be undone for a few seconds, until the page is left.
 */
export function rsvpActions(
  state: EventState,
  {
    page,
    eventToken,
    draw,
    refresh,
  }: { page: Page; eventToken: string; draw: () => void; refresh: (within?: number) => Promise<boolean> },
) {
  const { signal } = page;

  function setName(name: string) {
    state.name = name;
    keepDraft(nameDraft(eventToken), name);
    if (name) expires(state.event);
  }

  const checkName = () => (blank(state.name) ? t('check.name') : tooLong(state.name, limits.name));

  /** Shows that the service has stored an RSVP. */
  function signedUp(name: string) {
    Object.assign(state, {
      name: typed(eventToken),
      error: '',
      fresh: 1,
      moment: state.rsvps.length ? null : 0,
      least: Math.max(state.rsvps.length, state.before) + 1,
      most: Infinity,
      thanks: false,
    });
    draw();
    focusOn(byId('yours-title'));
    announce(t('rsvp.done', { name }));
    void number(); // the next name can be sent at once
  }

  /** Shows the guest's number, the count after the answer, unless another change came between. */
  async function number() {
    if (!state.event || !(await refresh()) || signal.aborted || state.moment !== 0) return;
    state.moment = state.event.attendeeCount;
    draw();
    announce(t('yours.number', { n: state.moment }));
  }

  async function refused({ id }: { id: string }, error: APIError) {
    if (error.kind === 'missing') return unknownEvent(page, eventToken);
    if (state.event && ['event-cancelled', 'event-expired'].includes(error.code)) {
      // The service's clock decides; this one may be behind.
      state.closed = error.code === 'event-expired';
      await refresh(1);
      draw();
      return focusOn(document.querySelector('#state h2'));
    }
    draw();
    return focusOn(byId(`refused-${id}`));
  }

  onOutbox((item, news) => {
    const { answer, trouble, refusal } = news;
    if (item && (item.door || ![eventToken, targetOf(eventToken)].includes(item.eventToken))) return undefined;
    const again = item && item.eventToken !== eventToken; // an RSVP to the event that this one has moved to
    if (item?.kind === 'rsvp' && !again && answer) return signedUp(item.name);
    if (item?.kind === 'rsvp' && !again && refusal) return refused(item, refusal);
    const held = item && row(item.id)?.contains(document.activeElement);
    const first = trouble && !byId('waiting');
    if (item?.kind === 'withdraw' && !again && answer) state.most = state.event.attendeeCount;
    draw();
    if (held && !row(item.id)) focusOn(document.querySelector('#panel h2'));
    if (first) {
      if (item?.kind === 'rsvp') focusOn(byId('waiting-title'));
      else announce(trouble.words);
    }
    if (again && item.kind === 'rsvp') settle(item, news);
    return (answer || item?.refused) && refresh();
  }, signal);
  // A change of language also draws the page anew, but does not leave it.
  signal.addEventListener('abort', () => {
    if (location.pathname !== eventPath(eventToken)) endUndo();
  });

  return {
    setName,
    type(name: string) {
      setName(name);
      if (state.error) state.error = checkName();
      draw();
    },
    async submit() {
      if (items(eventToken).some(({ kind, refused: ended }) => kind === 'rsvp' && !ended)) return;
      state.error = checkName();
      draw();
      if (state.error) return focusOn(byId('name'));
      const {
        name,
        event: { title, dateTime, timezone },
      } = state;
      if (
        state.rsvps.some((rsvp) => sameName(rsvp.name, name)) &&
        !(await confirm({
          title: t('again.title', { name: name.trim() }),
          body: [<p>{t('again.text')}</p>],
          yes: t('again.yes'),
          no: t('again.no'),
          level: 'secondary',
        }))
      )
        return undefined;
      state.before = state.event.attendeeCount;
      add({ id: newKey(), kind: 'rsvp', eventToken, name, title, dateTime, timezone });
      return undefined;
    },
    /** @param id of an item that was refused */
    dismiss(id: string) {
      drop(id);
      focusOn(document.querySelector('#panel h2'));
    },
    withdraw(rsvp: SavedRSVP) {
      Object.assign(state, { moment: null, fresh: 0, thanks: true });
      withdraw(rsvp);
      focusOn(row(rsvp.rsvpToken)?.querySelector('button'));
      announce(t('withdraw.done', { name: rsvp.name }));
    },
    undo({ rsvpToken }: SavedRSVP) {
      if (!items(eventToken).some(({ id, early }) => early && id === rsvpToken)) return draw(); // another page is sending it
      state.thanks = false;
      drop(rsvpToken);
      focusOn(row(rsvpToken)?.querySelector('button'));
    },
  };
}
