import { listing } from '../model/event';
import { isWalkIn, type OfKind } from '../model/items';
import { setter, type Drawing } from '../lib/drawing';
import { type Page } from './page';
import type { APIError } from '../model/api';
import { confirm } from '../components/dialog';
import { eventOfForm } from '../components/moved';
import { namesIn, rowOf, rowsOf, type PanelActions, type PanelFacts, type PanelOwn } from '../components/own-rsvp';
import { say, byId, focusOn, h } from '../lib/dom';
import { keepDraft, nameDraft, textDraft } from '../model/drafts';
import { ask, endOf, known, targetOf } from '../model/events';
import { guestsHere, isHalfSent, isPending } from '../model/guests';
import { t } from '../lib/i18n';
import { add, newKey, onOutbox } from '../model/outbox';
import { asOne, blank, limits, sameName, tooLong } from '../lib/text';
import { addWithdrawal, endUndo, undo } from '../model/undo';
import { pageToken } from '../lib/paths';
import { unknownEvent } from './errors';

/** The token of the event that gets the RSVP. After a move this is the newest event. */
const newestOf = (eventToken: string) => targetOf(eventToken) ?? eventToken;

/** The draft of a name. A draft from before a move counts for the new event. */
export const typed = (eventToken: string) =>
  textDraft(nameDraft(newestOf(eventToken))) || textDraft(nameDraft(eventToken));

export function keepName(eventToken: string, name: string) {
  const to = newestOf(eventToken);
  if (to !== eventToken) keepDraft(nameDraft(eventToken), null);
  keepDraft(nameDraft(to), name, endOf(to));
}

const checkName = (name: string) => (blank(name) ? t('check.name') : tooLong(name, limits.name));

const row = (rsvpToken: string) => byId(rowOf(rsvpToken));
const heading = () => document.querySelector<HTMLElement>('#panel h2');

/**
 * Creates and withdraws RSVPs. The outbox sends both. A guest can undo a withdrawal for some seconds while the page is
 * open.
 */
export function rsvpActions(page: Page, eventToken: string, own: PanelOwn, drawing: Drawing<PanelFacts>): PanelActions {
  const { signal, shown } = drawing;
  const set = setter(own, drawing);

  function hasOneRow() {
    const facts = shown();
    return facts !== null && rowsOf(facts).length === 1;
  }

  /** Shows that the service has stored an RSVP. */
  async function signedUp({ name, retry, both }: OfKind<'rsvp'>) {
    if (isHalfSent(guestsHere(eventToken))) return void set({ fresh: 1 });
    const drawn = set({ name: typed(eventToken), error: '', fresh: 1, number: 0, thanks: false });
    if (!(await drawn)) return;
    focusOn(byId('yours-title'));
    if (!hasOneRow()) say(t('rsvp.done', { name })); // with one row, the heading has the name
    const error = await ask(eventToken, 0); // meanwhile the guest can send the next name
    const n = known(eventToken)?.event.attendeeCount;
    // If a response was lost, others may have signed up meanwhile. Then the count is not this guest's number.
    if (error || retry || both || !n || own.thanks || !hasOneRow()) return;
    if (await set({ number: n })) say(t('yours.number', { n }));
  }

  async function refused({ id, name, both }: OfKind<'rsvp'>, error: APIError) {
    if (error.kind === 'missing') return unknownEvent(page);
    const closed = error.code === 'event-expired'; // the service's clock decides; this device's may be slow
    const isOff = closed || error.code === 'event-cancelled';
    if (isOff) await ask(eventToken, 1);
    if (targetOf(eventToken) && !both) keepName(eventToken, name);
    if (await set({ closed, name: typed(eventToken) }))
      focusOn(isOff ? document.querySelector('#state [tabindex], h1') : byId(`refused-${id}`));
  }

  onOutbox(async (item, { answer, trouble, refusal }) => {
    if (item && (isWalkIn(item) || ![eventToken, targetOf(eventToken)].includes(item.eventToken))) return;
    const rsvp = item?.kind === 'rsvp' ? item : null;
    const isHere = item?.eventToken === eventToken; // the RSVP may be for the event to which this event has moved
    if (rsvp && isHere && answer) return signedUp(rsvp);
    if (rsvp && isHere && refusal) return refused(rsvp, refusal);
    const place = item && (row(item.id) ?? byId('waiting'));
    const held = place?.contains(document.activeElement);
    const isFirst = rsvp && trouble && !byId('waiting');
    const left = item?.kind === 'withdraw' ? item.name : '';
    if (left && answer) own.thanks = true;
    if (!(await set({ name: typed(eventToken), ...(rsvp && answer && { fresh: 1 }) }))) return;
    if (held && place && !byId(place.id)) focusOn(heading());
    else if (left && answer) say(t('withdraw.thanks'));
    if (isFirst) focusOn(byId('waiting-title'));
    else if (left && trouble && !item?.retry) say(t('waiting.withdraw', { name: left }));
    if (rsvp && !isHere && answer) say(t('rsvp.done', { name: rsvp.name }));
    if (rsvp && !isHere && (answer || refusal)) focusOn(byId(answer ? 'moved-title' : `refused-${rsvp.id}`));
    if (answer || item?.refused) await ask(eventToken, 0);
  }, signal);
  // Do not end Undo when a change of language draws the page anew, because the visitor stays on the page.
  signal.addEventListener('abort', () => {
    if (pageToken(location.pathname) !== eventToken) endUndo();
  });

  return {
    async again() {
      const asOf = (await ask(eventToken, 0)) && shown()?.asOf;
      if (asOf) say(asOf.error.words);
    },
    type(name) {
      keepName(eventToken, name);
      void set({ name, error: own.error && checkName(name) });
    },
    async submit() {
      const facts = shown();
      const event = facts && eventOfForm(facts);
      if (!event || event.to || guestsHere(event.eventToken).some(isPending)) return;
      const name = asOne(own.name);
      const error = checkName(name);
      const drawn = set({ error });
      if (error) {
        // If the field does not have the focus yet, screen readers read the error when the focus moves there.
        if (document.activeElement === byId('name')) say(error);
        if (await drawn) focusOn(byId('name'));
        return;
      }
      const names = namesIn({ ...facts, ...own });
      for (const [index, one] of names.entries()) {
        const others = [...rowsOf(facts).map((guest) => guest.name), ...names.slice(0, index)];
        if (
          others.some((other) => sameName(other, one)) &&
          !(await confirm({
            title: t('again.title', { name: one }),
            body: [<p>{t('again.text')}</p>],
            yes: t('again.yes'),
            no: t('again.no'),
            level: 'secondary',
          }))
        )
          return;
      }
      const common = { ...listing(event), kind: 'rsvp' as const, both: names.length > 1 };
      const before = known(event.eventToken)?.event.attendeeCount ?? 0;
      add(...names.map((one, index) => ({ ...common, id: newKey(), name: one, before: before + index })));
      keepName(eventToken, ''); // the outbox has the name
    },
    async keepWhole() {
      const name = own.name.trim().replaceAll(' ', '\u00A0');
      keepName(eventToken, name);
      if (await set({ name })) focusOn(document.querySelector<HTMLElement>('#rsvp [type=submit]'));
    },
    async dismissed() {
      say('');
      if (await set()) focusOn(heading());
    },
    async withdraw(rsvp) {
      addWithdrawal(rsvp);
      if (!(await set({ fresh: 0, thanks: true }))) return;
      focusOn(row(rsvp.rsvpToken)?.querySelector('button'));
      say(t('withdraw.soon', { name: rsvp.name }));
    },
    async undo({ rsvpToken, name }) {
      const isUndone = undo(rsvpToken); // an undo fails once a page sends the withdrawal
      if (!(await set({ thanks: !isUndone }))) return;
      focusOn(row(rsvpToken)?.querySelector('button'));
      if (isUndone) say(t('rsvp.done', { name }));
    },
  };
}
