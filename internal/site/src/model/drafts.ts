// Texts that a visitor has typed but not sent.
import { isText } from '../lib/guards';
import { namesAfter, recall, remember } from '../lib/storage';

const list = 'drafts.';

// Names of drafts that belong to an event.
export const nameDraft = (eventToken: string) => `rsvp:${eventToken}`;
export const reasonDraft = (eventToken: string) => `reason:${eventToken}`;
export const changeDraft = (eventToken: string) => `change:${eventToken}`;

export const draft = (name: string) => recall(list + name);

/** A draft that consists of one text, or "" if there is no such draft. */
export const textDraft = (name: string) => recall(list + name, isText) ?? '';

/** @param until when a draft that belongs to an event may be deleted */
export const keepDraft = (name: string, value: unknown, until?: number) => remember(list + name, value, until);

/** The names of all drafts. */
export const draftNames = () => namesAfter(list);
