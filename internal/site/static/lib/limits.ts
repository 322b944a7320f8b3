// The bounds of the service's fields, in characters (Unicode code points).
export const limits = {
  title: 200,
  description: 2000,
  location: 500,
  host: 100,
  reason: 2000,
  name: 100,
  why: 1700, // leaves room in a reason for the link to another event
};

/** The organizer's texts. */
export const texts = ['title', 'host', 'location', 'description'] as const;
export type Text = (typeof texts)[number];

/** A value for each text. */
export const forTexts = <T>(of: (name: Text) => T): Record<Text, T> => ({
  title: of('title'),
  host: of('host'),
  location: of('location'),
  description: of('description'),
});

export const characters = (text: string) => text.replace(/[\u{10000}-\u{10ffff}]/gu, ' ').length;
