// The site's sentences in a language. openSources serves the site's modules.
import type { EventDetails } from '../../src/model/event';

const picnic: EventDetails = {
  eventToken: '0',
  title: 'Picnic',
  dateTime: '2027-06-05T19:30:00+02:00',
  timezone: 'Europe/Berlin',
  location: 'Park',
  attendeeCount: 0,
  cancelled: false,
};
const elsewhere = { ...picnic, location: 'Café' };
const nextDay = { ...elsewhere, dateTime: '2027-06-06T14:00:00+02:00' };

let RealDate: DateConstructor | undefined;

/** Stops the clock at noon on 1 May 2027. */
function stopTime() {
  const Real = (RealDate ??= Date);
  const now = Real.parse('2027-05-01T12:00:00Z');
  globalThis.Date = class extends Real {
    constructor(...given: [number]) {
      super(...(given.length ? given : ([now] as [number])));
    }
    static override now = () => now;
  } as DateConstructor;
}

async function modules() {
  const [i18n, event, time, words, shareLink, sharePanel, files, zones] = await Promise.all([
    import('../../src/lib/i18n'),
    import('../../src/model/event'),
    import('../../src/model/time'),
    import('../../src/components/event-words'),
    import('../../src/components/share-link'),
    import('../../src/components/share-panel'),
    import('../../src/pages/files'),
    import('../../src/components/zones'),
  ]);
  return { i18n, ...event, ...time, ...words, ...shareLink, ...sharePanel, ...files, ...zones };
}

type Modules = Awaited<ReturnType<typeof modules>>;
type Text = string | Record<string, string>;

/** All texts of a language that contain a date, a name or a number, with numbers of every plural category. */
export async function sentences(tag: string, tags: string[]) {
  stopTime();
  const { dataset } = document.documentElement;
  dataset.tag = tag;
  dataset.files = `/locales/${tag}.json?*`; // sources have the texts of all pages
  dataset.languages = JSON.stringify(Object.fromEntries(tags.map((one) => [one, one])));
  const site = await modules();
  await site.i18n.loadLanguage('home');
  const texts = (await (await fetch(`/locales/${tag}.json`)).json()) as Record<string, Text>;
  const lines = [...textsWithValues(site, texts), ...eventsInWords(site), ...(await regionsInWords(site, tag))];
  return lines
    .map(
      ([what, ...said]) =>
        `${what}: ${said
          .join(' / ')
          .replace(/[\u2066-\u2069]/g, '')
          .replaceAll('\n', ' | ')}\n`,
    )
    .join('');
}

type Line = [what: string, ...said: string[]];

/** The texts with values in braces, and the texts with forms for numbers. */
function textsWithValues({ i18n, dateIn, timeIn }: Modules, texts: Record<string, Text>) {
  const t = i18n.t as (key: string, values: Record<string, string | number>) => string;
  const list = (names: string[]) => new Intl.ListFormat(i18n.locale).format(names);
  const values = {
    date: dateIn(picnic),
    time: timeIn(picnic),
    instead: timeIn(picnic),
    zone: 'Berlin',
    offset: 'UTC+02:00',
    place: 'Park',
    host: 'Mara & Jo',
    title: 'Picnic',
    line: 7,
    status: 500,
    all: 1234,
  };
  const numbers = [0, 1, 2, 5, 11, 21, 1234];
  const names = ['Ada', 'محمد علي بن عبد الرحمن', 'Maria da Conceição Álvares de Vasconcelos'];
  const guests = [['Ada'], ['Ada', 'Ben'], ['Ada', 'Ben', 'Cleo']];
  return Object.entries(texts).flatMap(([key, text]): Line[] => {
    const all = typeof text === 'string' ? text : Object.values(text).join();
    if (key === 'mine.guest' || key === 'yours.withdrawn')
      return [[key, ...guests.map((some) => t(key, { n: some.length, name: list(some) }))]];
    if (typeof text === 'object' || all.includes('{n}')) {
      return [[key, ...new Set(numbers.map((n) => t(key, { ...values, n })))]];
    }
    if (all.includes('{name}')) return [[key, ...names.map((name) => t(key, { ...values, name }))]];
    return all.includes('{') ? [[key, t(key, values)]] : [];
  });
}

function eventsInWords(site: Modules): Line[] {
  const { i18n, linksText, message, nearDays, phase, readerTime, relativeDay, state, told, turnout, whenIn, zoneName } =
    site;
  const moments: [string, boolean?][] = [
    ['2027-06-05T19:30:00+02:00'],
    ['2028-01-01T00:05:00+01:00'],
    ['2027-05-02T14:00:00+02:00'],
    ['2027-05-01T13:00:00+02:00'],
    ['2027-04-30T19:30:00+02:00'],
    ['2027-02-01T19:30:00+01:00'],
    ['2027-06-05T19:30:00+02:00', true],
  ];
  const intervals = [
    ['2027-06-05T19:30:00+02:00', '2027-06-05T23:00:00+02:00'],
    ['2027-06-05T10:30:00+02:00', '2027-06-05T13:00:00+02:00'],
    ['2028-12-31T22:00:00+01:00', '2029-01-01T06:00:00+01:00'],
    ['2027-06-04T18:00:00+02:00', '2027-06-06T12:00:00+02:00'],
    ['2027-12-31T18:00:00+01:00', '2028-01-01T11:00:00+01:00'],
  ].map(([dateTime = '', endDateTime = '']) => ({ ...picnic, dateTime, endDateTime }));
  const changes: Partial<EventDetails>[] = [
    {},
    { cancellationReason: 'Flu' },
    { to: nextDay, cancellationReason: 'Flu' },
    { to: elsewhere },
    { to: picnic, cancellationReason: 'Flu' },
  ];
  return [
    ...moments.map(([dateTime, cancelled = false]): Line => {
      const at = { ...picnic, dateTime, cancelled };
      const counts = [0, 1, 21].map((attendeeCount) => turnout({ ...at, attendeeCount }));
      return [phase(at), ...[state(at), whenIn(at), relativeDay(at), ...counts].filter(Boolean)];
    }),
    ['intervals', ...intervals.map(whenIn)],
    ...['Asia/Tokyo', 'Europe/London'].map((timezone): Line => {
      const there = intervals.slice(0, 4).map((event) => ({ ...event, timezone }));
      return [`intervals in ${timezone}`, ...there.map(readerTime)];
    }),
    ...['America/New_York', 'Asia/Tokyo', 'UTC'].map((timezone): Line => {
      const there = { ...picnic, timezone };
      return [timezone, zoneName(there), i18n.t('event.reader', { time: readerTime(there) })];
    }),
    ['days', ...nearDays('Europe/Berlin').map(({ texts }) => texts.join(' '))],
    [
      'days and months',
      ...['2027-06-15', '2027-06-16', '2027-03-17', '2027-03-16'].map((date) =>
        relativeDay({ ...picnic, dateTime: `${date}T12:00:00Z` }),
      ),
    ],
    ['message', message(picnic)],
    ...changes.map((change): Line => {
      const { text, url } = told({ ...picnic, ...change });
      return ['told', [text, url.replace(location.origin, '')].join(' | ')];
    }),
    ['links', linksText(picnic, 'secret').replaceAll(location.origin, '')],
  ];
}

const regions: Record<string, string[]> = { ar: ['ar-EG'], fr: ['fr-CA', 'fr-CH'], pt: ['pt-PT'] };

/** Texts of regions that write dates or digits differently, on the first of a month. */
async function regionsInWords({ i18n, nearDays, relativeDay, turnout, whenIn }: Modules, tag: string) {
  const lines: Line[] = [];
  for (const region of regions[tag] ?? []) {
    document.documentElement.dataset.tag = region;
    await i18n.loadLanguage('home');
    const at = { ...picnic, dateTime: '2028-05-01T19:30:00+02:00', attendeeCount: 1234 };
    const day = nearDays('Europe/Berlin')[1]?.texts.join(' ') ?? '';
    const evening = { ...at, endDateTime: '2028-05-01T23:00:00+02:00' };
    lines.push([region, whenIn(at), whenIn(evening), relativeDay(at), day, turnout(at)]);
  }
  return lines;
}
