import type { FaultDetail } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import type { BundledHistory } from '../bundle/bundle-format.ts';
import type { LibraryFile } from '../context.ts';
import type { Data, Document, TemplateKind } from '../schema.ts';
import type { PlaceBefore } from './rewriting/rewriting.ts';

/** One state of a template that arrives, in our own syntax. */
export type ImportedVersion = {
  readonly id: string;
  /** What the source calls it, for notes. */
  readonly title: string;
  /** Those of a bundle stay in its archive until they are needed. */
  readonly read: () => Promise<Document>;
  readonly message: string;
  /** Finds the place in the text as it was sent, for each field that was rewritten. */
  readonly placeBefore: Readonly<Partial<Record<string, PlaceBefore>>>;
};

/** A template to import, whatever service it comes from. */
export type ImportedTemplate = {
  /** Where in the payload it was found: an id, a name or a file. */
  readonly from: string;
  /** What the source calls it; other templates of the source name it so. */
  readonly key: string;
  readonly name: string;
  readonly kind: TemplateKind;
  readonly description: string;
  readonly tags: readonly string[];
  /** Oldest first, never empty unless there are problems. */
  readonly versions: readonly ImportedVersion[];
  /** Index of the version the source uses now. */
  readonly active: number;
  readonly readFixtures: () => Promise<Readonly<Record<string, Data>>>;
  readonly notes: readonly Warning[];
  /** Why it cannot be read at all. */
  readonly problems: readonly FaultDetail[];
  /** Everything a bundle keeps of it beside its versions' documents; `versions` are then the same versions. */
  readonly history?: BundledHistory;
};

/** A picture or font that the templates of a source refer to, at the path it is to have. */
export type ImportedAsset = Pick<LibraryFile, 'path'> &
  Partial<Pick<LibraryFile, 'id' | 'alt' | 'tags' | 'sha256'>> & {
    /** What the source calls it, for notes. */
    readonly from: string;
    readonly read: () => Promise<Buffer | undefined>;
  };

/** What a source turned out to hold. Its templates can be read until it is closed. */
export type ImportedSource = {
  readonly importedTemplates: readonly ImportedTemplate[];
  /** Notes on things that became no template, such as an image in an archive. */
  readonly notes: readonly { readonly from: string; readonly warning: Warning }[];
  readonly assets?: readonly ImportedAsset[];
  readonly close?: () => void;
};
