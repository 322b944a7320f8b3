// Unsent texts.
import { isText } from '../lib/guards';
import { namesAfter, recall, remember } from '../lib/storage';

const list = 'drafts.';

// The names of drafts about an event.
export const nameDraft = (eventToken: string) => `rsvp:${eventToken}`;
export const reasonDraft = (eventToken: string) => `reason:${eventToken}`;
export const changeDraft = (eventToken: string) => `change:${eventToken}`;

export const draft = (name: string) => recall(list + name);

/** A draft of one text, or "". */
export const textDraft = (name: string) => recall(list + name, isText) ?? '';

/** @param until for a draft about an event */
export const keepDraft = (name: string, value: unknown, until?: number) => remember(list + name, value, until);

/** The names of all drafts. */
export const draftNames = () => namesAfter(list);
