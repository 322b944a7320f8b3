import { byId, h, person, user } from '../lib/dom';
import { isComing, isOpen, phase } from '../model/event';
import { isOnList, isPending, type Guest, type GuestItem, type OnList } from '../model/guests';
import { locale, t } from '../lib/i18n';
import { sendNow } from '../model/outbox';
import { limits, sentences } from '../lib/text';
import { lastDay } from '../model/time';
import { button } from './buttons';
import { calendarLink, otherCalendars } from './calendar-links';
import { field } from './field';
import { keepRSVP } from './keep-rsvp';
import { asks, eventOfForm, movedPanel } from './moved';
import { asOfNotice, retry } from './notice';
import { leaving, namesIn, notKept, rowOf, rowsOf, strangerNotice, withdrawing, type Panel } from './own-rsvp';
import { closed, reason } from './poster';
import { withdrawnNotice } from './withdrawn';
import { shareLink } from './share-link';
import { refusal, textsOf } from './unsent';

const accepts = (panel: Panel) => !panel.closed && isOpen(eventOfForm(panel));

export function rsvpPanel(panel: Panel) {
  const { event, guests, there, thanks } = panel;
  const why = !event.to && event.cancelled && event.cancellationReason;
  const isEmpty =
    phase(event) === 'cancelled' && !why && !guests.length && !there.some(({ rsvp }) => !rsvp) && !panel.asOf;
  return (
    <div class="card" id="panel" hidden={isEmpty}>
      {asOfNotice(panel.asOf, panel.again)}
      {event.to ? movedPanel(panel) : event.cancelled ? why && reason(why, event) : !accepts(panel) && closed()}
      {withdrawnNotice(guests, panel.dismissed)}
      {strangerNotice(panel)}
      {rowsOf(panel).length > 0 && !asks(event) && yours(panel)}
      <div class="problems" aria-live="assertive">
        {[...guests, ...there].map(({ item }) => item?.refused && refused(panel, item))}
      </div>
      {waiting(panel)}
      {hasForm(panel) && (thanks ? thanked(panel) : asked(panel))}
    </div>
  );
}

const asked = (panel: Panel) => [
  phase(eventOfForm(panel)) === 'over' ? folded('after', t('rsvp.titleOver'), panel) : form(panel),
  // Help a guest whose browser has forgotten the RSVP.
  <details id="listed">
    <summary class="plain">{t('listed.title')}</summary>
    <p class="hint">{t('listed.text')}</p>
  </details>,
];

/** The thanks to a guest who has withdrawn. The form stays folded. */
const thanked = (panel: Panel) => [
  <h2 id="thanks" tabindex={-1}>
    {t('withdraw.thanks')}
  </h2>,
  folded('after', phase(eventOfForm(panel)) === 'over' ? t('rsvp.titleOver') : t('rsvp.title'), panel),
];

/**
 * A guest's name with the button that withdraws it. The name of the only guest is in the heading. Once the event is
 * cancelled or over, the button says "Remove".
 */
function signedUp({ rsvp, name, stands }: OnList, panel: Panel, isAlone: boolean, isAnyIn: boolean) {
  const coming = isComing(panel.event);
  const isInHeading = coming && isAlone;
  const isOthers = stands === 'linked' && isAnyIn;
  return panel.row(rsvp.rsvpToken, [rsvp, coming, isInHeading, isOthers], () => (
    <li id={rowOf(rsvp.rsvpToken)} class={!isInHeading && 'line guest'}>
      {!isInHeading && (isOthers ? user(t('yours.link', { name }), 'bdi', 'named') : person(name, 'bdi', 'named'))}
      {button(
        coming ? t('yours.cancel') : t('yours.remove'),
        () => panel.withdraw(rsvp),
        isInHeading ? 'line' : 'plain',
        { 'aria-label': coming ? t('yours.cancelName', { name }) : t('yours.removeName', { name }) },
      )}
    </li>
  ));
}

const isIn = ({ stands }: Guest) => stands === 'in';

function titleOf(own: Guest[], linked: Guest[], coming: boolean) {
  const [first] = own;
  if (!first) return t('yours.link', { name: new Intl.ListFormat(locale).format(linked.map(({ name }) => name)) });
  if (!coming) return t('yours.were');
  if (own.length === 1) return t('yours.in', { name: first.name });
  return own.length === 2 ? t('yours.both') : t('yours.title', { n: own.length });
}

function yours(panel: Panel) {
  const { event } = panel;
  const rows = rowsOf(panel);
  const left = rows.filter(isOnList);
  const coming = isComing(event);
  const own = left.filter(isIn);
  const shares = left.length > 0 && !['over', 'closed'].includes(phase(event));
  const isMoment = coming && own.length > 0;
  const isLong = own.some(({ name }) => name.length > 40);
  return (
    <section class="yours" id="yours">
      {left.length > 0 && (
        <h2 id="yours-title" class={isMoment && (isLong ? 'moment long' : 'moment')} tabindex={-1}>
          {titleOf(own, left, coming)}
        </h2>
      )}
      {isMoment && own.length === 1 && panel.number > 0 && (
        <p id="yours-facts">{t('yours.number', { n: panel.number })}</p>
      )}
      {notKept()}
      {shares && (
        <div class="actions">
          {calendarLink(event, true)}
          {!event.cancelled && shareLink(event, { isGuest: true })}
        </div>
      )}
      <div class="rows">
        {shares &&
          !event.cancelled && [
            accepts(panel) && !isLate(panel) && folded('bring', t('rsvp.another'), panel),
            otherCalendars(event),
            keepRSVP(
              left.map(({ rsvp }) => rsvp),
              panel.row,
            ),
          ]}
        <ul>
          {rows.map((guest, index) =>
            isOnList(guest)
              ? signedUp(guest, panel, rows.length === 1, own.length > 0)
              : leaving(guest.rsvp, { isComing: coming, isTitle: !left.length && !index }, panel.undo),
          )}
        </ul>
      </div>
    </section>
  );
}

/**
 * The folded form: for companions, after the event, or after a withdrawal. The form is open if a name was already
 * typed.
 */
const folded = (id: string, title: string, panel: Panel) => (
  <details class="fold" id={id} open={Boolean(panel.name || panel.error)}>
    <summary class="line" id="rsvp-title">
      {title}
    </summary>
    {form(panel)}
  </details>
);

/** The guests whose yes has no final response, for this event or for the event to which it has moved. */
const pending = ({ guests, there }: Panel) => [...guests, ...there].filter(isPending);

const isLate = (panel: Panel) => pending(panel).some(({ stands }) => stands === 'late');

/** The number of dashed strokes. They stand for the names in the form, or for RSVPs whose response is late. */
export const dashed = (panel: Panel) => {
  if (hasForm(panel)) return panel.thanks ? 0 : namesIn(panel).length;
  return isLate(panel) ? pending(panel).length : 0;
};

/** Whether the panel asks for the name of a guest. */
const hasForm = (panel: Panel) =>
  accepts(panel) && !rowsOf(panel).length && !isLate(panel) && !withdrawing(panel).length;

/** The notice about requests without a response. Until the response the outbox repeats the request. */
function waiting(panel: Panel) {
  const all = [...pending(panel), ...withdrawing(panel)];
  const error = all.find(({ item }) => item?.error)?.item?.error;
  if (!error && (rowsOf(panel).length || !withdrawing(panel).length)) return null;
  const line = (item: GuestItem) => {
    const text = textsOf(item).waiting;
    return panel.row(`waiting-${item.id}`, [text], () => <p>{text}</p>);
  };
  const name = pending(panel)[0]?.name;
  return (
    <section class="notice" id="waiting">
      <h2 id="waiting-title" tabindex={-1}>
        {!error
          ? t('rsvp.sending')
          : error.kind === 'offline' && name
            ? t('waiting.name', { name })
            : t('waiting.title')}
      </h2>
      {error && all.map(({ item }) => item && line(item))}
      {error && retry(t('waiting.now'), sendNow, 'primary')}
    </section>
  );
}

/** A refusal, with the reason unless the page already shows it. */
function refused(panel: Panel, item: GuestItem) {
  const { id, eventToken, error } = item;
  const isOver = panel.closed || !isOpen(panel.event);
  const isShown = isOver && eventToken === panel.event.eventToken && error?.code.startsWith('event-');
  const row = `refused-${id}`;
  const why = isShown ? '' : error?.words;
  return panel.row(row, [why], () => (
    <div class="notice bad" id={row}>
      {refusal(item, panel.dismissed, 'secondary', why)}
    </div>
  ));
}

function form(panel: Panel) {
  const event = eventOfForm(panel);
  const more = rowsOf(panel).length > 0;
  const over = phase(event) === 'over';
  const sending = pending(panel).length > 0;
  const names = namesIn(panel);
  const isCouple = names.length > 1;
  const hint = event.host ? t('rsvp.hintHost', { host: event.host }) : t('rsvp.hint');
  function submitted() {
    const { value } = byId('name') as HTMLInputElement;
    if (value !== panel.name) panel.type(value); // programs fill in fields without an event
    return panel.submit();
  }
  const submit = isCouple ? t('rsvp.submitBoth') : over ? t('rsvp.submitOver') : t('rsvp.submit');
  return (
    <form id="rsvp" novalidate class={more ? 'rsvp more' : 'rsvp'} aria-labelledby="rsvp-title" onsubmit={submitted}>
      {!more && !over && !panel.thanks && (
        <h2 id="rsvp-title" tabindex={-1}>
          {t('rsvp.title')}
        </h2>
      )}
      {field({
        id: 'name',
        label: more ? t('rsvp.theirName') : t('rsvp.name'),
        limit: limits.name,
        value: panel.name,
        control: (given) => (
          <input
            {...given}
            autocomplete={more ? 'off' : 'name'}
            required
            enterkeyhint="send"
            oninput={({ target }) => panel.type(target.value)}
          />
        ),
        error: panel.error,
      })}
      <button type="submit" class={more ? 'secondary' : 'primary large'} aria-disabled={sending && 'true'}>
        {sending ? t('rsvp.sending') : more ? t('rsvp.bring') : submit}
      </button>
      {isCouple && !sending && button(t('rsvp.onePerson', { name: panel.name.trim() }), panel.keepWhole, 'plain')}
      {!more && <p class="hint">{over ? sentences(hint, t('rsvp.hintOver', { date: lastDay(event) })) : hint}</p>}
    </form>
  );
}
