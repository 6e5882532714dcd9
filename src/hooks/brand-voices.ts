import type { Entitlements } from '../billing/entitlements.ts';
import { Fault } from '../errors.ts';
import { contentTag } from '../platform/content-tag.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { BrandVoice } from './brand-voice.ts';
import { createBrandVoiceStore, type KeptVoice } from './brand-voice-store.ts';

type Parts = { readonly sql: Sql; readonly entitlements: Pick<Entitlements, 'requireFeature'> };

/** Entity tags of which a write must still find one. */
type IfMatch = readonly string[];

export type SavedVoice = KeptVoice & {
  /** False when one was replaced. */
  readonly created: boolean;
};

/** Voices an account may have. */
const MOST = 20;

/** The voices of an account. Making and changing them is part of a paid plan; they can be seen and deleted without. */
export function createBrandVoices({ sql, entitlements }: Parts) {
  const store = createBrandVoiceStore(sql);

  async function get(accountId: string, id: string): Promise<KeptVoice> {
    const voice = await store.find(accountId, id);
    if (!voice) throw new Fault('not_found.brand_voice', { id });
    return voice;
  }

  return {
    /** By name. */
    list: (accountId: string): Promise<readonly KeptVoice[]> => store.list(accountId),

    /** @throws Fault not_found.brand_voice */
    get,

    /**
     * Makes a voice, or replaces the one of that name.
     * @throws Fault plan_required, plan_limit.brand_voices, precondition_failed.etag
     */
    async save(accountId: string, voice: BrandVoice, ifMatch?: IfMatch): Promise<SavedVoice> {
      await entitlements.requireFeature(accountId, 'brand_voices');
      return sql.begin(async (tx) => {
        const within = createBrandVoiceStore(tx);
        await within.lock(accountId);
        const voices = await within.list(accountId);
        const same = voices.find(({ name }) => name === voice.name);
        demandMatch(same, ifMatch);
        if (!same && voices.length >= MOST) throw new Fault('plan_limit.brand_voices', { limit: MOST });
        const saved = await within.put(accountId, same?.id ?? newId('voi'), voice);
        return { ...saved, created: same === undefined };
      });
    },

    /**
     * Replaces a voice, its name too.
     * @throws Fault not_found.brand_voice, plan_required, name_taken.brand_voice, precondition_failed.etag
     */
    async update(accountId: string, id: string, voice: BrandVoice, ifMatch?: IfMatch): Promise<KeptVoice> {
      await get(accountId, id);
      await entitlements.requireFeature(accountId, 'brand_voices');
      return sql.begin(async (tx) => {
        const within = createBrandVoiceStore(tx);
        await within.lock(accountId);
        const voices = await within.list(accountId);
        const before = voices.find((other) => other.id === id);
        if (!before) throw new Fault('not_found.brand_voice', { id });
        demandMatch(before, ifMatch);
        const isTaken = voices.some((other) => other.id !== id && other.name === voice.name);
        if (isTaken) throw new Fault('name_taken.brand_voice', { name: voice.name });
        return within.put(accountId, id, voice);
      });
    },

    /** @throws Fault not_found.brand_voice, precondition_failed.etag */
    async delete(accountId: string, id: string, ifMatch?: IfMatch): Promise<void> {
      await sql.begin(async (tx) => {
        const within = createBrandVoiceStore(tx);
        await within.lock(accountId);
        const voice = await within.find(accountId, id);
        if (!voice) throw new Fault('not_found.brand_voice', { id });
        demandMatch(voice, ifMatch);
        await within.delete(accountId, id);
      });
    },
  };
}

/** @throws Fault precondition_failed.etag */
function demandMatch(voice: KeptVoice | undefined, ifMatch: IfMatch | undefined): void {
  if (ifMatch && !(voice && ifMatch.includes(contentTag(voice)))) throw new Fault('precondition_failed.etag');
}
