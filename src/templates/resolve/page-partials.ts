import type { Engine, Program } from '../engine/engine.ts';
import { prepareData } from '../engine/render/data.ts';
import type { JsonObject } from '../engine/variable.ts';
import type { Composer } from './compose.ts';
import type { BrandSource } from './resolve.ts';

type PagePartialsDeps = {
  readonly composer: Pick<Composer, 'partialsOf'>;
  readonly engine: Pick<Engine, 'variablesOf' | 'brandOf'>;
  readonly brands: Pick<BrandSource, 'of'>;
};

/** An email rendered without a choice takes the same: the versions in production, or else the newest of main. */
const CHOICE = { by: 'environment', environment: 'production' } as const;

/**
 * Finds the partials of a page that is no email, such as that of a video, and the brand that it prints.
 * @throws Fault template_invalid.missing_part, template_too_complex.partials, not_found.brand
 */
export function createPagePartials({ composer, engine, brands }: PagePartialsDeps) {
  return async (accountId: string, program: Program, brandName?: string) => {
    const found = await composer.partialsOf(accountId, program, CHOICE);
    const composition = {
      program,
      partials: new Map([...found].map(([name, part]) => [name, part.program])),
    };
    const variables = engine.variablesOf(composition);
    const readsBrand = engine.brandOf(composition).length > 0;
    return {
      partials: new Map(
        [...found].map(([name, part]) => {
          const { html, css = '' } = part.document;
          return [name, { program: part.program, html, css }];
        }),
      ),
      variables,
      brand: readsBrand ? await brands.of(accountId, brandName) : {},
      /** The data with what the schemas of the partials give by default. */
      withDefaults: (data: JsonObject) => prepareData(variables, data, 'fallback').data,
    };
  };
}
