import type { Entitlements } from '../billing/entitlements.ts';
import { type Brand, BrandFields, LIMITS } from '../brand/brand.ts';
import { brandValues, familyOf, fontFace, isFile } from '../brand/brand-values.ts';
import { createBrands } from '../brand/brands.ts';
import { createImport } from '../brand/importing/importing.ts';
import { createSiteReader } from '../brand/importing/site-reader.ts';
import { Fault } from '../errors.ts';
import type { SpokenBrand } from '../hooks/brand-voices.ts';
import { exportList } from '../identity/accounts/account-export.ts';
import { brandLimit } from '../plans.ts';
import type { Browser } from '../platform/browser/browser.ts';
import { AssetBlocked } from '../platform/guarded-fetch/asset-blocked.ts';
import { createGuardedFetch, type GuardedFetchSettings } from '../platform/guarded-fetch/guarded-fetch.ts';
import type { JsonObject } from '../templates/engine/variable.ts';
import type { Brand as ModelBrand } from '../templates/generation/model-request.ts';
import type { VideoBrand } from '../videos/composition/brand-defaults.ts';
import type { wireAssets } from './assets.ts';
import { type Base, defineService } from './service.ts';

type BrandDeps = Base & {
  readonly entitlements: Entitlements;
  readonly assets: ReturnType<typeof wireAssets>;
};

/** How an account presents itself: in emails, in videos and in what models write for it. */
export function wireBrand(
  { sql, audit, config, entitlements, assets }: BrandDeps,
  settings: GuardedFetchSettings = {},
) {
  const brands = createBrands({
    sql,
    audit,
    assetsOf: assets.api.assets.resolve,
    async planOf(accountId) {
      const { hooks } = await entitlements.of(accountId);
      const writesHooks = hooks.features.includes('brand_voices');
      return { limit: brandLimit(hooks.plan, LIMITS.brands), writesHooks };
    },
  });
  const guarded = createGuardedFetch({ hosts: config.assetHosts, ...DOWNLOAD, ...settings });
  const reader = createSiteReader();
  const service = defineService({
    api: { brands },
    listeners: brands.listeners,
    exporters: [exportList('brands', brands.list)],
    close: reader.close,
  });
  return {
    ...service,
    /** Reads a site; its page is shown by the browser, which loads nothing. */
    importer:
      (browser: Pick<Browser, 'screenshot'>) =>
      (accountId: string, page: { url: string; html?: string | undefined }, signal: AbortSignal) =>
        createImport({
          async fetchText(address, ends) {
            try {
              return (await guarded.fetchFile(address, ends)).toString('utf8');
            } catch (error) {
              if (!(error instanceof AssetBlocked)) throw error;
              const shown = { url: address.slice(0, 200), reason: error.reason };
              throw new Fault('validation_failed.brand_url', shown, { cause: error });
            }
          },
          readPage: (html, address, ends) => reader.page(html, address, { accountId, signal: ends }),
          async colorsOf(html, ends) {
            const asker = { accountId, signal: ends };
            const [shot] = await browser.screenshot(html, [SCREEN], asker);
            return shot ? reader.colors(shot.png, asker) : [];
          },
        })(page, signal),
    /** As templates print it. */
    forTemplates: {
      of: async (accountId: string, name?: string) => toJson(await brands.get(accountId, name)),
      present: (stored: unknown) => toJson({ fields: BrandFields.parse(stored ?? {}) }),
    },
    /** How hooks sound. Undefined where the brand has no voice. */
    async forHooks(accountId: string): Promise<SpokenBrand | undefined> {
      const { voice, name = '' } = (await brands.get(accountId)).fields;
      if (!voice) return undefined;
      const { tone, audience, samples = [], avoid = '', forbidden_words = [] } = voice;
      const spoken = { name, samples, do: voice.do ?? '', avoid, forbidden_words, language: null };
      return { voice: spoken, tone, audience };
    },
    /** As a model that writes an email is told of it. Undefined where there is nothing to tell. */
    async forModels(accountId: string): Promise<ModelBrand | undefined> {
      const { name, colors, logos, fonts, voice, address, footer } = (await brands.get(accountId)).fields;
      const { primary, accent, background, text } = colors ?? {};
      const shown = [primary, accent, background, text].filter((color) => color !== undefined);
      const font = fonts?.body;
      const told: ModelBrand = {
        ...(name && { name }),
        ...(shown.length > 0 && { colors: shown }),
        ...(logos?.light && { logo_url: logos.light }),
        ...(font && !isFile(font) && { font }),
        ...(voice && { voice }),
        ...(address && { address }),
        ...(footer && { footer }),
      };
      return Object.keys(told).length > 0 ? told : undefined;
    },
    /** As videos take it, without files that the library does not have. Undefined where nothing was saved. */
    async forVideos(accountId: string, name?: string): Promise<VideoBrand | undefined> {
      const { brand, version, fields } = await brands.get(accountId, name);
      if (version === 0) return undefined;
      const lacking = await brands.lackingAssets(accountId, fields);
      const isThere = (file: string | undefined) => file !== undefined && !lacking.has(file);
      const there = <Files extends Readonly<Record<string, string | undefined>>>(files: Files) =>
        Object.fromEntries(Object.entries(files).filter(([, file]) => isThere(file)));
      const fonts = Object.entries(there(fields.fonts ?? {})).map(([role, font = '']) => {
        const isLoaded = isFile(font);
        return [
          role,
          { family: isLoaded ? familyOf(role) : font, ...(isLoaded && { face: fontFace(role, font) }) },
        ];
      });
      const { name: title, colors } = fields;
      return {
        brand,
        version,
        name: title,
        logos: there(fields.logos ?? {}),
        colors,
        fonts: Object.fromEntries(fonts),
      };
    },
  };
}

/** Without what is absent: templates take JSON. */
function toJson({ fields }: Pick<Brand, 'fields'>): JsonObject {
  return JSON.parse(JSON.stringify(brandValues(fields)));
}

/** One page or style sheet. */
const DOWNLOAD = { maxBytes: 3 * 1024 * 1024, maxMs: 10_000, purpose: 'reading a brand from a website' };

/** What a visitor sees first says more of a brand than the rest of a long page. */
const SCREEN = { width: 1280, maxHeight: 2_000, colorScheme: 'light', mobile: false } as const;
