import type { Drawing, Page, Setter } from '../lib/page';
import type { PanelFacts } from '../components/own-rsvp';
import type { APIError } from '../lib/api';
import type { SavedRSVP } from '../lib/saved';
import type { EventOwn } from './event-view';
import { confirm } from '../components/dialog';
import { tooLong } from '../components/field';
import { settle } from '../components/moved';
import { namesIn, rowOf } from '../components/own-rsvp';
import { announce, byId, focusOn, h } from '../lib/dom';
import { keepDraft, textDraft } from '../lib/drafts';
import { t } from '../lib/i18n';
import { endOf, known, targetOf } from '../lib/events';
import { nameDraft, type OfKind } from '../lib/handlers';
import { add, drop, isHalfSent, items, newKey, onOutbox } from '../lib/outbox';
import { asOne, blank, limits, sameName } from '../lib/text';
import { endUndo, withdraw } from '../lib/undo';
import { eventPath } from '../lib/urls';
import { unknownEvent } from './errors';

/** The draft of the name. */
export const typed = (eventToken: string) => textDraft(nameDraft(eventToken));

export function keepName(eventToken: string, name: string) {
  keepDraft(nameDraft(eventToken), name, endOf(eventToken));
}

const checkName = (name: string) => (blank(name) ? t('check.name') : tooLong(name, limits.name));

const row = (rsvpToken: string) => byId(rowOf(rsvpToken));
const heading = () => document.querySelector<HTMLElement>('#panel h2');

/**
 * Makes and withdraws RSVPs on the page of an event. The outbox sends both; a withdrawal
 * can be undone for a few seconds, until the page is left.
 */
export function rsvpActions(
  own: EventOwn,
  set: Setter<EventOwn>,
  {
    page,
    eventToken,
    drawing: { signal, shown },
    refresh,
  }: { page: Page; eventToken: string; drawing: Drawing<PanelFacts>; refresh: (within?: number) => Promise<boolean> },
) {
  /** Shows that the service has stored an RSVP. */
  async function signedUp({ name, retry, both }: OfKind<'rsvp'>) {
    if (isHalfSent(eventToken)) return void set({ fresh: 1 });
    const drawn = set({ name: typed(eventToken), error: '', fresh: 1, number: 0, thanks: false });
    announce(t('rsvp.done', { name }));
    if (!(await drawn)) return;
    focusOn(byId('yours-title'));
    const isRead = await refresh(); // the next name can be sent at once
    const n = known(eventToken)?.event.attendeeCount;
    // Others may have come since an answer that was lost.
    if (!isRead || retry || both || !n || own.thanks || shown()?.rsvps.length !== 1) return;
    announce(t('yours.number', { n }));
    await set({ number: n });
  }

  async function refused({ id, both }: OfKind<'rsvp'>, error: APIError) {
    if (error.kind === 'missing') return unknownEvent(page);
    const closed = error.code === 'event-expired'; // the service's clock decides; this one may be behind
    const isOff = closed || error.code === 'event-cancelled';
    if (isOff) await refresh(1);
    if (await set({ closed, ...(both && { name: typed(eventToken) }) }))
      focusOn(isOff ? document.querySelector('#state [tabindex]') : byId(`refused-${id}`));
  }

  onOutbox(async (item, news) => {
    const { answer, trouble, refusal } = news;
    if (item && (item.door || ![eventToken, targetOf(eventToken)].includes(item.eventToken))) return;
    const isAgain = item && item.eventToken !== eventToken; // an RSVP to the event that this one has moved to
    if (item?.kind === 'rsvp' && !isAgain && answer) return signedUp(item);
    if (item?.kind === 'rsvp' && !isAgain && refusal) return refused(item, refusal);
    const held = item && row(item.id)?.contains(document.activeElement);
    const isFirst = trouble && !byId('waiting');
    if (!(await set({ name: typed(eventToken) }))) return;
    if (held && !row(item.id)) focusOn(heading());
    if (isFirst) {
      if (item?.kind === 'rsvp') focusOn(byId('waiting-title'));
      else announce(trouble.words);
    }
    if (isAgain && item.kind === 'rsvp') settle(item, news);
    if (answer || item?.refused) await refresh();
  }, signal);
  // A change of language also draws the page anew, but does not leave it.
  signal.addEventListener('abort', () => {
    if (location.pathname !== eventPath(eventToken)) endUndo();
  });

  return {
    type(name: string) {
      keepName(eventToken, name);
      void set({ name, error: own.error && checkName(name) });
    },
    async submit() {
      const facts = shown();
      if (!facts || items(eventToken).some((item) => item.kind === 'rsvp' && !item.refused)) return;
      const name = asOne(own.name);
      const error = checkName(name);
      const drawn = set({ error });
      if (error) {
        if (await drawn) focusOn(byId('name'));
        return;
      }
      const names = namesIn({ ...facts, ...own });
      for (const [index, one] of names.entries()) {
        const others = [...facts.rsvps.map((rsvp) => rsvp.name), ...names.slice(0, index)];
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
      const { title, dateTime, timezone } = facts.event;
      const before = known(eventToken)?.event.attendeeCount ?? 0;
      add(
        ...names.map((one, index) => ({
          id: newKey(),
          kind: 'rsvp' as const,
          eventToken,
          name: one,
          both: names.length > 1,
          before: before + index,
          title,
          dateTime,
          timezone,
        })),
      );
      keepName(eventToken, ''); // the outbox has it
    },
    /** Says that the name stands for one guest. */
    async keepWhole() {
      const name = own.name.trim().replaceAll(' ', '\u00A0');
      keepName(eventToken, name);
      if (await set({ name })) focusOn(document.querySelector<HTMLElement>('#rsvp [type=submit]'));
    },
    async dismissed() {
      announce('');
      if (await set()) focusOn(heading());
    },
    async withdraw(rsvp: SavedRSVP) {
      withdraw(rsvp);
      announce(t('withdraw.done', { name: rsvp.name }));
      if (await set({ fresh: 0, thanks: true })) focusOn(row(rsvp.rsvpToken)?.querySelector('button'));
    },
    async undo({ rsvpToken }: SavedRSVP) {
      const isEarly = items(eventToken).some(({ id, early }) => early && id === rsvpToken);
      if (isEarly) drop(rsvpToken); // else another page is sending it
      if (await set({ thanks: !isEarly })) focusOn(row(rsvpToken)?.querySelector('button'));
    },
  };
}
