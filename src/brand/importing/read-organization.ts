import { z } from 'zod';

/** What a page says of its company in JSON-LD. */
export type Organization = {
  readonly name?: string | undefined;
  readonly logo?: string | undefined;
  readonly address?: string | undefined;
  readonly sameAs?: readonly string[] | undefined;
};

const MAX_CHARS = 200_000;
const COMPANIES =
  /^(?:Organization|Corporation|LocalBusiness|OnlineStore|OnlineBusiness|Store|Brand|Restaurant)$/;

const text = z.string().max(2_000).optional().catch(undefined);
const Address = z
  .union([
    z.string().max(300),
    z
      .looseObject({
        streetAddress: text,
        postalCode: text,
        addressLocality: text,
        addressCountry: z
          .union([z.string(), z.looseObject({ name: text }).transform(({ name }) => name)])
          .optional(),
      })
      .transform((all) => {
        const place = [all.postalCode, all.addressLocality].filter(Boolean).join(' ');
        return [all.streetAddress, place, all.addressCountry].filter(Boolean).join(', ');
      }),
  ])
  .optional()
  .catch(undefined);
const Company = z.looseObject({
  '@type': z.union([z.string(), z.array(z.string())]),
  name: text,
  logo: z
    .union([z.string(), z.looseObject({ url: text }).transform(({ url }) => url)])
    .optional()
    .catch(undefined),
  address: Address,
  sameAs: z
    .union([z.string().transform((one) => [one]), z.array(z.string()).max(50)])
    .optional()
    .catch(undefined),
});

/** The first company of a JSON-LD text; nothing where it has none or can't be read. */
export function readOrganization(json: string): Organization {
  if (json.length > MAX_CHARS) return {};
  try {
    const data: unknown = JSON.parse(json);
    const graph = z.looseObject({ '@graph': z.array(z.unknown()) }).safeParse(data);
    const items = Array.isArray(data) ? data : graph.success ? graph.data['@graph'] : [data];
    for (const item of items.slice(0, 100)) {
      const { data: company } = Company.safeParse(item);
      if (!company || ![company['@type']].flat().some((type) => COMPANIES.test(type))) continue;
      const { name, logo, address, sameAs } = company;
      return { name, logo, address: address || undefined, sameAs };
    }
  } catch {
    // A page's mistake is not the caller's.
  }
  return {};
}
