import type { OrganizeFacts } from './attendance';
import { button, copyButton, fold, shareButton } from '../components/buttons';
import { attendeesOf, type guestList } from '../components/guest-list';
import { asOfNotice, notice, retry } from '../components/notice';
import { turnout } from '../components/event-words';
import { closed, poster, reason } from '../components/poster';
import { print } from '../components/print';
import { invitation, invitationRow, isSoon, send, tellGuests } from '../components/share-panel';
import { tally } from '../components/tally';
import { refusal, textsOf } from '../components/unsent';
import { say, download, h, type Children } from '../lib/dom';
import { isCheckInTime, isComing, isOpen, newest, phase, type EventDetails } from '../model/event';
import { csv, fileName, linksText } from './files';
import type { Visit } from './page';
import { t } from '../lib/i18n';
import { checkedIn } from '../model/attendees';
import { isEnd, isWalkIn } from '../model/items';
import { sendNow, unsent } from '../model/outbox';
import { copied, outlives, savedEvent } from '../model/saved';
import { eventPath, organizerPath, organizerURL } from '../lib/urls';
import { checkInView } from './check-in-view';
import type { CheckIn } from './check-in';
import { underWay } from './organize-end';

/** The parts of the page, and facts that are fixed when the page is opened. */
export type OrganizeParts = Pick<Visit, 'created' | 'changed'> & {
  organizerToken: string;
  /** whether nobody had signed up when the page was opened; then the first guests move no part of the page */
  hadNone: boolean;
  /** whether the private link existed elsewhere when the page was opened */
  hadCopy: boolean;
  soon: () => void;
  /** called once a notice is removed */
  dismissed: () => void;
  again: () => void;
  list: ReturnType<typeof guestList>;
  checkIn: CheckIn;
  cancel: () => void;
};
type OrganizeState = OrganizeFacts & OrganizeParts;

/** Whether the invitation is unfolded: the organizer has just announced the event, or nobody had signed up before. */
const invites = ({ created, changed, hadNone, event }: OrganizeState) =>
  !changed && (hadNone ? isComing(event) : created && isOpen(event) && !isSoon(event));

/** The outcome of an announcement or a move, or "" if guests had signed up before the page was opened. */
export const outcome = ({ created, changed, hadNone, event }: Omit<OrganizeState, 'list'>) =>
  created && hadNone && !event.cancelled ? `✓ ${changed ? t('state.moved') : t('organize.created')}` : '';

export function view(state: OrganizeState) {
  const { event, changed, hadNone } = state;
  const why = event.cancellationReason;
  const isNews = event.to || isComing({ ...event, cancelled: false });
  const news = outcome(state);
  const isLost = forgets(state);
  return (
    checkInView(state, state.checkIn) ?? [
      poster(event, news ? '' : t('organize.kicker')),
      <div class="wrap dashboard" id="dashboard">
        {news && <h2 class="moment">{news}</h2>}
        {asOfNotice(state.asOf, state.again)}
        {!event.cancelled && !isOpen(event) && closed()}
        {event.cancelled && (isNews ? tellGuests(event, event.to && wayTo(event.to)) : why && reason(why, event))}
        {unsentNotices(state)}
        {isLost && privateLink(state)}
        {changed && isOpen(event) && tellGuests({ ...changed, to: event })}
        {guestSection(state)}
        <aside class="lines">
          {!isLost && privateLink(state)}
          {!hadNone && forTheDoor(state)}
          {forTheEvent(state)}
          {hadNone && forTheDoor(state)}
        </aside>
      </div>,
    ]
  );
}

const isKept = ({ event }: OrganizeState) => Boolean(savedEvent(event.eventToken)) && outlives();

/**
 * Whether this browser will forget a valid private link. Then the ways to keep the link come before the invitation,
 * because guests can sign up for an event that nobody can cancel. An event that is opened by its private link is saved
 * once the names have been read.
 */
const forgets = (state: OrganizeState) => isOpen(state.event) && (state.created || state.complete) && !isKept(state);

/** The link to the event to which this event has moved. */
const wayTo = ({ eventToken }: EventDetails) => (
  <p>
    <a href={savedEvent(eventToken) ? organizerPath(eventToken) : eventPath(eventToken)}>{t('moved.see')}</a>
  </p>
);

/** The number of guests, and the number before the move. */
function counts(event: EventDetails) {
  const before = event.to ? event.attendeeCount : savedEvent(event.eventToken)?.before;
  const coming = turnout(newest(event));
  return before ? [<span>{`${coming}\u00A0·`}</span>, ' ', <span>{t('organize.before', { n: before })}</span>] : coming;
}

/** Notices about items without a response and about refused items. The new event's page tells the outcome of a move. */
function unsentNotices({ event: { cancelled, eventToken }, changed, dismissed }: OrganizeState) {
  const all = unsent(eventToken).filter((item) => isWalkIn(item) || (!cancelled && isEnd(item)));
  const moves = changed ? unsent(changed.eventToken).filter(({ kind }) => kind === 'change') : [];
  const waiting = all.filter(({ error, refused }) => error && !refused);
  return [
    waiting[0] && (
      <div class="notice" id="waiting">
        {waiting[0].error?.words && <p>{waiting[0].error.words}</p>}
        {waiting.map((item) => (
          <p>{textsOf(item).waiting}</p>
        ))}
        {retry(t('waiting.now'), sendNow)}
      </div>
    ),
    ...[...all.filter(({ kind }) => kind !== 'change'), ...moves].map(
      (item) => item.refused && notice('bad', ...refusal(item, dismissed)),
    ),
  ];
}

/** The guests come before the invitation, unless the page was opened without guests. */
function guestSection(state: OrganizeState) {
  const { event, asOf, names, fresh, waiting, hadNone } = state;
  const isFirst = invites(state) && hadNone;
  const list = state.list(state);
  return (
    <section
      class="guest-section"
      id="guest-section"
      aria-labelledby="guests-title"
      aria-busy={waiting && 'true'}
      inert={waiting}
    >
      {isFirst && messages(state)}
      <h2 id="guests-title" class="turnout">
        {counts(event)}
        {fresh > 0 && fresh < names.length && <span class="badge">{t('guests.fresh', { n: fresh })}</span>}
      </h2>
      {!event.to && tally(event.attendeeCount, { ghosts: event.attendeeCount ? 0 : 5, fresh })}
      {invites(state) && !hadNone && list}
      {!isFirst && messages(state)}
      {(hadNone || !names.length) && (asOf || isComing(event)) && (
        <p class="hint">{asOf ? t('asOf.names') : t('guests.noneText')}</p>
      )}
      {(hadNone || !invites(state)) && list}
    </section>
  );
}

/** The next message or act: invite, remind, check in, or announce the event again. */
function messages(state: OrganizeState) {
  const { event, changed } = state;
  const isTime = isCheckInTime(event);
  return [
    isPast(event) && (
      <div class="ways" id="first">
        {againLink(event, 'primary')}
      </div>
    ),
    (isTime || (isComing(event) && !changed && !invites(state))) && (
      <div class="ways" id="first">
        {isTime && checkInButton(state, 'primary')}
        {!invites(state) && send(event, isTime ? 'secondary' : 'primary')}
      </div>
    ),
    invites(state) && invitation(event, 'primary'),
  ];
}

/** The button of the check-in. It is disabled until the last name has been read. */
const checkInButton = ({ complete, asOf, checkIn }: OrganizeState, className: string) =>
  (complete || !asOf) && button(t('guests.checkIn'), checkIn.open, className, { id: 'check-in', disabled: !complete });

const lines = (id: string, title: string, ...content: Children[]) => (
  <section id={`${id}-lines`} aria-labelledby={id}>
    <h2 class="label" id={id}>
      {title}
    </h2>
    {content}
  </section>
);

const line = (href: string, label: string) => (
  <a class="line" href={href}>
    {label}
  </a>
);

const isPast = (event: EventDetails) => ['over', 'closed'].includes(phase(event));

const againLink = ({ eventToken }: EventDetails, className: string) => (
  <a class={className} href={`/?again=${eventToken}`}>
    {t('organize.again')}
  </a>
);

function forTheDoor(state: OrganizeState) {
  const { event, names } = state;
  return (
    names.length > 0 &&
    isOpen(event) &&
    lines(
      'door-title',
      t('organize.door'),
      !isCheckInTime(event) && checkInButton(state, 'line'),
      button(t('guests.print'), ({ currentTarget }) => print(currentTarget), 'line'),
      namesRow(state),
    )
  );
}

function namesRow({ event, names }: OrganizeState) {
  const here = checkedIn(event.eventToken);
  const rows = () => {
    const row = (...cells: string[]) => cells.slice(0, here.size ? 2 : 1);
    const guests = attendeesOf(names).map(({ id, name }) => row(name, here.has(id) ? '✓' : ''));
    return csv([row(t('guests.column'), t('guests.came')), ...guests]);
  };
  return fold(
    'names',
    'line',
    t('guests.list'),
    <div class="row">
      {copyButton(t('guests.copy'), names.map((name) => name.replace(/\s+/gu, ' ')).join('\n'))}
      {button(t('guests.csv'), () => download(fileName(event.title, '.csv'), 'text/csv;charset=utf-8', rows()))}
    </div>,
  );
}

function forTheEvent(state: OrganizeState) {
  const { event, names } = state;
  const { eventToken } = event;
  const under = underWay(eventToken);
  const isStanding = isOpen(event) && !under;
  return lines(
    'event-title',
    t('organize.event'),
    isComing(event) && !invites(state) && invitationRow(event),
    line(eventPath(eventToken), t('organize.public')),
    !isOpen(event) && names.length > 0 && namesRow(state),
    isStanding && savedEvent(eventToken) && line(`/?change=${eventToken}`, t('change.open')),
    !isPast(event) && againLink(event, 'line'),
    // The button keeps the focus, so it stays while the cancel is under way.
    isOpen(event) &&
      ['cancel', undefined].includes(under?.kind) &&
      button(t('cancel.title'), state.cancel, 'line danger', { id: 'cancel', 'aria-disabled': under && 'true' }),
  );
}

/**
 * The ways to keep the private link: a row, or a box that asks for a copy elsewhere. A browser may forget the link, and
 * the URL does not contain the secret.
 */
function privateLink(state: OrganizeState) {
  const { event, organizerToken, created, hadNone, hadCopy, soon } = state;
  const isHere = isKept(state);
  const isCopied = !hadCopy && savedEvent(event.eventToken)?.copied;
  const asks = forgets(state) || (isOpen(event) && created && hadNone && !hadCopy);
  const url = organizerURL(event.eventToken, organizerToken);
  const keep = () => {
    copied(event.eventToken);
    say(t('backup.done'));
    soon();
  };
  // Nobody knows whether a download arrives, so a download ends no warning.
  const save = () => download(fileName(event.title, '.txt'), 'text/plain', linksText(event, organizerToken));
  const ways = [
    <p>{isCopied ? t('backup.done') : isHere ? t('links.warning') : t('backup.notKept')}</p>,
    <div class="row">
      {shareButton({ title: event.title, text: t('private.title'), url }, t('links.send'), 'secondary', keep)}
      {copyButton(t('copy.private'), url, 'secondary', keep)}
      {button(t('links.download'), save, 'plain')}
    </div>,
  ];
  return asks ? (
    <section class={`notice ${isCopied ? 'good' : isHere ? '' : 'bad'}`} id="backup" aria-labelledby="backup-title">
      <h2 id="backup-title">{t('backup.title')}</h2>
      {ways}
    </section>
  ) : (
    fold(
      'private',
      'line',
      [t('private.title'), isHere && !hadCopy && !isCopied && <span class="hint">{t('private.here')}</span>],
      ways,
    )
  );
}
