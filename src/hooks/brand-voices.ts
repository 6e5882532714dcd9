import type { Entitlements } from '../billing/entitlements.ts';
import { Fault } from '../errors.ts';
import { contentTag } from '../platform/content-tag.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import {
  deleteVoice,
  findVoice,
  listVoices,
  lockVoices,
  type StoredVoice,
  upsertVoice,
} from './brand-voice-repo.ts';

/** How a brand sounds, as its owner described it. */
export type BrandVoice = {
  readonly name: string;
  readonly samples: readonly string[];
  readonly do: string;
  readonly avoid: string;
  readonly forbidden_words: readonly string[];
  readonly language: string | null;
};

/** A voice, and the tone and audience that count where the caller names none. */
export type SpokenBrand = {
  readonly voice: BrandVoice;
  readonly tone?: string | undefined;
  readonly audience?: string | undefined;
};

/** Port through which generation reads the voices of an account. */
export type BrandVoiceSource = {
  /** @throws Fault not_found.brand_voice */
  get(accountId: string, id: string): Promise<BrandVoice>;
};

type BrandVoiceDeps = { readonly sql: Sql; readonly entitlements: Pick<Entitlements, 'requireFeature'> };

/** Entity tags; a write requires one of them to match. */
type IfMatch = readonly string[];

type SavedVoice = StoredVoice & {
  /** False when an existing voice was replaced. */
  readonly created: boolean;
};

const MAX_BRAND_VOICES = 20;

/** The brand voices of an account. Saving them needs a paid plan; reading and deleting does not. */
export function createBrandVoices({ sql, entitlements }: BrandVoiceDeps) {
  async function get(accountId: string, id: string): Promise<StoredVoice> {
    const voice = await findVoice(sql, accountId, id);
    if (!voice) throw new Fault('not_found.brand_voice', { id });
    return voice;
  }

  return {
    /** Ordered by name. */
    list: (accountId: string): Promise<readonly StoredVoice[]> => listVoices(sql, accountId),

    /** @throws Fault not_found.brand_voice */
    get,

    /**
     * Creates a voice, or replaces the one with that name.
     * @throws Fault plan_required, plan_limit.brand_voices, precondition_failed.etag
     */
    async save(accountId: string, voice: BrandVoice, ifMatch?: IfMatch): Promise<SavedVoice> {
      await entitlements.requireFeature(accountId, 'brand_voices');
      return sql.begin(async (tx) => {
        await lockVoices(tx, accountId);
        const voices = await listVoices(tx, accountId);
        const existing = voices.find(({ name }) => name === voice.name);
        assertMatch(existing, ifMatch);
        if (!existing && voices.length >= MAX_BRAND_VOICES)
          throw new Fault('plan_limit.brand_voices', { limit: MAX_BRAND_VOICES });
        const saved = await upsertVoice(tx, accountId, existing?.id ?? newId('voi'), voice);
        return { ...saved, created: existing === undefined };
      });
    },

    /**
     * Replaces a voice, including its name.
     * @throws Fault not_found.brand_voice, plan_required, name_taken.brand_voice, precondition_failed.etag
     */
    async update(accountId: string, id: string, voice: BrandVoice, ifMatch?: IfMatch): Promise<StoredVoice> {
      await get(accountId, id);
      await entitlements.requireFeature(accountId, 'brand_voices');
      return sql.begin(async (tx) => {
        await lockVoices(tx, accountId);
        const voices = await listVoices(tx, accountId);
        const existing = voices.find((other) => other.id === id);
        if (!existing) throw new Fault('not_found.brand_voice', { id });
        assertMatch(existing, ifMatch);
        const isTaken = voices.some((other) => other.id !== id && other.name === voice.name);
        if (isTaken) throw new Fault('name_taken.brand_voice', { name: voice.name });
        return upsertVoice(tx, accountId, id, voice);
      });
    },

    /** @throws Fault not_found.brand_voice, precondition_failed.etag */
    async delete(accountId: string, id: string, ifMatch?: IfMatch): Promise<void> {
      await sql.begin(async (tx) => {
        await lockVoices(tx, accountId);
        const voice = await findVoice(tx, accountId, id);
        if (!voice) throw new Fault('not_found.brand_voice', { id });
        assertMatch(voice, ifMatch);
        await deleteVoice(tx, accountId, id);
      });
    },
  };
}

/** @throws Fault precondition_failed.etag */
function assertMatch(voice: StoredVoice | undefined, ifMatch: IfMatch | undefined): void {
  if (ifMatch && !(voice && ifMatch.includes(contentTag(voice)))) throw new Fault('precondition_failed.etag');
}
