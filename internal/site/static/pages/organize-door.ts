import {
  rowsOf,
  walkIns,
  type DoorActions,
  type DoorFacts,
  type DoorOwn,
  type Row,
  type WalkIn,
} from '../components/check-in';
import { guestsOf, step } from '../components/guest-list';
import { announce, byId, focusOn } from '../lib/dom';
import { setter, type Drawing } from '../lib/drawing';
import { checkedIn, tick as tickOff } from '../lib/guest-data';
import { t } from '../lib/i18n';
import { add, newKey, onOutbox, retract } from '../lib/outbox';

const closed = { guests: null, search: '', shown: step, last: null, hint: false };

/**
 * The check-in at the door.
 * @param look reads the names
 */
export function door(eventToken: string, drawing: Drawing<DoorFacts>, look: () => unknown) {
  const { signal, shown } = drawing;
  const own: DoorOwn = { ...closed, rows: new Map() };
  const set = setter(own, drawing);
  const names = () => shown()?.names ?? [];
  let isHinted = false;

  function tick(row: Row, isHere: boolean) {
    const hint = isHere && !isHinted && !checkedIn(eventToken).size;
    isHinted ||= hint;
    tickOff(eventToken, row.id, isHere);
    return set({ last: isHere ? row : null, hint, search: '' });
  }

  function send({ name, nth }: Pick<WalkIn, 'name' | 'nth'>, item: { id: string; kind: 'rsvp' | 'withdraw' }) {
    const event = shown()?.event;
    if (!event) return;
    const { title, dateTime, timezone } = event;
    add({ eventToken, title, dateTime, timezone, name, door: nth, ...item });
  }

  function remove(guest: WalkIn) {
    if (guest.rsvpToken) send(guest, { id: guest.rsvpToken, kind: 'withdraw' });
    else if (guest.item) retract(guest.item);
    return tick(guest, false);
  }

  onOutbox((item, { answer, refusal }) => {
    if (item && (item.eventToken !== eventToken || !item.door)) return;
    if (answer) void look();
    if (refusal) announce(refusal.words);
    const isRefused = refusal && item?.kind === 'rsvp';
    if (isRefused) tickOff(eventToken, `${item.door} ${item.name}`, false);
    void set(isRefused ? { last: null } : {});
  }, signal);

  const actions: DoorActions = {
    search: (search) => void set({ search, shown: step }),
    more: () => void set({ shown: own.shown + step }),
    tick,
    remove,
    add() {
      const name = own.search.trim();
      const same = [...guestsOf(names()), ...walkIns(eventToken)].filter((guest) => guest.name === name);
      const nth = 1 + Math.max(0, ...same.map((guest) => guest.nth));
      send({ name, nth }, { id: newKey(), kind: 'rsvp' });
      void tick({ id: `${nth} ${name}`, name, nth, of: nth, added: true }, true);
    },
    async undo() {
      const { last } = own;
      if (!last) return;
      const guest = last.added && walkIns(eventToken).find(({ id }) => id === last.id);
      const isOpen = await (guest ? remove(guest) : tick(last, false));
      if (isOpen && document.activeElement !== byId('search'))
        focusOn(byId(`guest-${own.guests?.indexOf(last)}`)?.querySelector('input'));
    },
    async toggle() {
      const isOpening = !own.guests;
      if (!(await set(isOpening ? { ...closed, guests: rowsOf(names()) } : closed))) return;
      scrollTo(0, 0);
      focusOn(byId(isOpening ? 'here' : 'check-in'));
    },
    async renew() {
      announce(t('guests.upToDate', { n: names().length }));
      if (await set({ guests: rowsOf(names()) })) focusOn(byId('here'));
    },
  };
  return { own, actions };
}
