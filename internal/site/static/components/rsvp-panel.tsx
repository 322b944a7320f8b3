import type { EventDetails } from '../lib/api';
import type { AsOf } from '../lib/events';
import { h, user, type Child } from '../lib/dom';
import { exportSaved } from '../lib/event-data';
import { locale, t } from '../lib/i18n';
import { limits } from '../lib/limits';
import { sendNow, staying, type Shown } from '../lib/outbox';
import { outlives, type SavedRSVP } from '../lib/saved';
import { sentences } from '../lib/text';
import { closesAt, dateIn, phase } from '../lib/time';
import { eventPath } from '../lib/urls';
import { button } from './buttons';
import { calendarLinks } from './calendar-links';
import { field } from './field';
import { keepRSVP } from './keep-rsvp';
import { asOfNotice, notice } from './notice';
import { closed, reason } from './poster';
import { shareLink } from './share-link';
import { textsOf } from './unsent';

export type PanelState = {
  event: EventDetails;
  /** the code for an event that has moved */
  moved: typeof import('./moved') | undefined;
  /** whether the service no longer accepts RSVPs */
  closed: boolean;
  /** made on this device, without those whose withdrawal is being sent */
  rsvps: SavedRSVP[];
  /** of the event in the outbox, and RSVPs to the one that it has moved to */
  items: Shown[];
  /** whether one of the RSVPs is no longer on the guest list */
  withdrawn: boolean;
  /** whether a guest has just withdrawn */
  thanks: boolean;
  /** the text of the name's field */
  name: string;
  /** of the name's field */
  error: string;
  /** set if the service has not answered */
  asOf: AsOf | null;
  /** null except after a first RSVP on this page: then the guest's number, or 0 until the count is read */
  moment: number | null;
};
export type PanelActions = {
  type: (name: string) => void;
  submit: () => void;
  /** asks the service once more */
  again: () => void;
  dismiss: (id: string) => void;
  withdraw: (rsvp: SavedRSVP) => void;
  undo: (rsvp: SavedRSVP) => void;
};

export const isOpen = ({ event, closed: is }: PanelState) => !is && !event.cancelled && phase(event) !== 'closed';

export const rsvpPanel = (state: PanelState, actions: PanelActions) => (
  <div class="card" id="panel">
    {asOfNotice(state.asOf, actions.again)}
    {state.moved
      ? state.moved.movedPanel(state, actions)
      : state.event.to
        ? unloaded(state.event.to)
        : state.event.cancelled
          ? reason(state.event)
          : !isOpen(state) && closed(state.event)}
    {state.rsvps.length > 0 && !state.moved?.asks(state.event) && yours(state, actions)}
    <div class="problems" aria-live="assertive">
      {state.items.filter(({ refused }) => refused).map((item) => refusal(state, item, actions))}
    </div>
    {waiting(state)}
    {isOpen(state) &&
      !state.rsvps.length &&
      !isBusy(state) && [state.thanks && <p id="thanks">{t('withdraw.thanks')}</p>, form(state, actions), listed()]}
  </div>
);

/** Shown if the code for a moved event did not load. Browsers do not retry that, so the page is reloaded. */
const unloaded = ({ eventToken, title }: PanelState['event']) => (
  <section class="notice" id="state">
    <h2 tabindex={-1}>{t('state.moved')}</h2>
    <a href={eventPath(eventToken)}>{t('moved.seeTitle', { title })}</a>
    <p>{t('failure.lost')}</p>
    {button(t('unreachable.again'), () => location.reload())}
  </section>
);

/**
 * The button that withdraws a name. If the event is cancelled or over, it removes the name, and does not cancel the RSVP.
 * @param only whether it is the only name
 * @param mixed whether others were made on this device
 */
function signedUp(rsvp: SavedRSVP, only: boolean, mixed: boolean, coming: boolean, actions: PanelActions) {
  const { rsvpToken, byLink, name } = rsvp;
  const label = coming ? t('yours.cancelName', { name }) : t('yours.removeName', { name });
  return (
    <li id={`rsvp-${rsvpToken}`}>
      {byLink && mixed && user(t('yours.link', { name }))}
      {button(only && coming ? t('yours.cancel') : label, () => actions.withdraw(rsvp), 'line', {
        'aria-label': label,
      })}
    </li>
  );
}

export const isComing = ({ event, withdrawn }: PanelState) =>
  ['coming', 'started'].includes(phase(event)) && !(withdrawn && !event.attendeeCount);

/** A name whose withdrawal can still be undone. @param titles whether it stands for the title of the panel */
export const leaving = (rsvp: SavedRSVP, titles: boolean, coming: boolean, actions: PanelActions) => (
  <li id={`rsvp-${rsvp.rsvpToken}`} class="line leaving">
    {h(
      titles ? 'h2' : 'span',
      { class: 'user', id: titles && 'yours-title' },
      coming ? t('withdraw.leaving', { name: rsvp.name }) : t('withdraw.done', { name: rsvp.name }),
    )}
    {button(t('yours.undo'), () => actions.undo(rsvp), 'secondary', {
      'aria-label': coming && t('yours.undoName', { name: rsvp.name }),
    })}
  </li>
);

export const notKept = () =>
  !outlives() && notice('bad', <p>{t('yours.notKept')}</p>, button(t('mine.export'), exportSaved));

function yours(state: PanelState, actions: PanelActions) {
  const { event, rsvps } = state;
  const left = staying(state);
  const coming = isComing(state);
  const own = left.filter(({ byLink }) => !byLink).length;
  const shares = left.length > 0 && !['over', 'closed'].includes(phase(event));
  const title = !own
    ? t('yours.link', { name: new Intl.ListFormat(locale).format(left.map(({ name }) => name)) })
    : coming
      ? state.moment
        ? t('yours.number', { n: state.moment })
        : t('yours.title', { n: own })
      : t('yours.were');
  return (
    <section class="yours" id="yours" aria-labelledby="yours-title">
      {left.length > 0 && (
        <h2 id="yours-title" class={coming && state.moment !== null ? 'moment' : ''} tabindex={-1}>
          {title}
        </h2>
      )}
      {state.withdrawn && <p>{t('yours.withdrawn')}</p>}
      {notKept()}
      {shares && (
        <div class="actions">
          {calendarLinks(event, true)}
          {!event.cancelled && shareLink(event, true)}
        </div>
      )}
      <div class="rows">
        {shares && !event.cancelled && [isOpen(state) && bring(state, actions), keepRSVP(left)]}
        <ul>
          {rsvps.map((rsvp, index) =>
            left.includes(rsvp)
              ? signedUp(rsvp, rsvps.length === 1, own > 0, coming, actions)
              : leaving(rsvp, !left.length && !index, coming, actions),
          )}
        </ul>
      </div>
    </section>
  );
}

/** For a guest whose browser has forgotten the RSVP. */
const listed = () => (
  <details id="listed">
    <summary class="plain">{t('listed.title')}</summary>
    <p class="hint">{t('listed.text')}</p>
  </details>
);

/** The form for companions. It is open if a name was already typed. */
const bring = (state: PanelState, actions: PanelActions) =>
  !unsent(state, 'rsvp').some((item) => item.error) && (
    <details class="fold" id="bring" open={Boolean(state.name || state.error)}>
      <summary class="line" id="rsvp-title">
        {t('rsvp.another')}
      </summary>
      {form(state, actions)}
    </details>
  );

const unsent = ({ items }: PanelState, kind: string) =>
  items.filter((item) => item.kind === kind && !item.early && !item.refused);

/** Whether the panel shows what is being sent instead of the form. */
const isBusy = (state: PanelState) =>
  unsent(state, 'rsvp').some(({ error }) => error) || unsent(state, 'withdraw').length > 0;

/** Shown until there is an answer. The same request is repeated until then. */
function waiting(state: PanelState): Child {
  const all = [...unsent(state, 'rsvp'), ...unsent(state, 'withdraw')];
  const error = all.find((item) => item.error)?.error;
  if (!error && (state.rsvps.length || !unsent(state, 'withdraw').length)) return false;
  return (
    <section class="notice" id="waiting" aria-labelledby="waiting-title">
      <h2 id="waiting-title" tabindex={-1}>
        {!error ? t('rsvp.sending') : error.kind === 'offline' ? error.words : t('waiting.title')}
      </h2>
      {error && [...all.map((item) => <p>{textsOf(item).waiting}</p>), button(t('waiting.now'), sendNow, 'primary')]}
    </section>
  );
}

/** A refusal, with the reason unless the page already shows it. @param item that the service has refused */
const refusal = (state: PanelState, item: Shown, actions: PanelActions) => (
  <div class="notice bad" id={`refused-${item.id}`}>
    <p>{textsOf(item).refused}</p>
    {(isOpen(state) || item.eventToken !== state.event.eventToken || !item.error?.code.startsWith('event-')) && (
      <p>{item.error?.words}</p>
    )}
    {button(t('outbox.dismiss'), () => actions.dismiss(item.id), 'secondary')}
  </div>
);

const lastDay = (event: PanelState['event']) => dateIn({ ...event, dateTime: new Date(closesAt(event)).toISOString() });

/** The label of the form's button. */
export const submitText = (event: PanelState['event']) =>
  phase(event) === 'over' ? t('rsvp.submitOver') : t('rsvp.submit');

function form(state: PanelState, actions: PanelActions) {
  const more = state.rsvps.length > 0;
  const over = phase(state.event) === 'over';
  const sending = unsent(state, 'rsvp').length > 0;
  const control = (
    <input
      name="name"
      autocomplete={more ? 'off' : 'name'}
      required
      enterkeyhint="send"
      value={state.name}
      oninput={({ target }: any) => actions.type(target.value)}
    />
  );
  return (
    <form
      id="rsvp"
      novalidate
      class={more ? 'rsvp more' : 'rsvp'}
      aria-labelledby="rsvp-title"
      onsubmit={actions.submit}
    >
      {!more && (
        <h2 id="rsvp-title" tabindex={-1}>
          {over ? t('rsvp.titleOver') : t('rsvp.title')}
        </h2>
      )}
      {field({
        id: 'name',
        label: more ? t('rsvp.theirName') : t('rsvp.name'),
        limit: limits.name,
        control,
        error: state.error,
      })}
      <button type="submit" class={more ? 'secondary' : 'primary large'} aria-disabled={sending && 'true'}>
        {sending ? t('rsvp.sending') : more ? t('rsvp.bring') : submitText(state.event)}
      </button>
      {!more && (
        <p class="hint">
          {over ? sentences(t('rsvp.hint'), t('rsvp.hintOver', { date: lastDay(state.event) })) : [t('rsvp.hint')]}
        </p>
      )}
    </form>
  );
}
