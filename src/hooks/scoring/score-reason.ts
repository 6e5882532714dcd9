import type en from '../../../locales/en.json';

type NoteKey = keyof typeof en.hooks;

/** What is said of a hook, as a sentence of `hooks` in the locales; a door puts it into words. */
export type Note = { readonly key: NoteKey; readonly params?: Readonly<Record<string, string | number>> };
