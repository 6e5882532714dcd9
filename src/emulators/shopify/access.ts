/** What a running request or bulk operation hands to every field. */
export type Call = {
  /** Such as `2026-10`. */
  readonly version: string;
  /** Of a bulk operation: which part of a connection it is at. */
  readonly range?: { readonly from: number; readonly size: number };
  /** A mutation is not done and answers this code. */
  readonly refusedAs?: string;
};

/** What the app has been granted; without `scopes`, all of it. */
type AccessOptions = {
  /** Pasted into the app once, and good for ever. */
  readonly token: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes?: readonly string[];
  readonly now: () => number;
};

/** Seconds that a token got for the app's credentials is good for. */
const TOKEN_SECONDS = 86_399;

const SCOPES = ['read_products', 'write_products', 'read_inventory', 'write_inventory', 'read_locations'];

/** Which scope a field of the root needs. */
const NEEDED: Readonly<Record<string, string>> = {
  productVariants: 'read_products',
  productVariantsCount: 'read_products',
  nodes: 'read_products',
  products: 'read_products',
  productByIdentifier: 'read_products',
  location: 'read_locations',
  locations: 'read_locations',
  inventorySetQuantities: 'write_inventory',
  inventoryActivate: 'write_inventory',
  productVariantsBulkUpdate: 'write_products',
  productUpdate: 'write_products',
  productSet: 'write_products',
  metafieldsDelete: 'write_products',
  metafieldDefinitions: 'read_products',
};

export type Access = ReturnType<typeof createAccess>;

/** Who may ask, and what. */
export function createAccess({ token, clientId, clientSecret, scopes = SCOPES, now }: AccessOptions) {
  /** When each ends. */
  const tokens = new Map<string, number>([[token, Number.POSITIVE_INFINITY]]);
  let granted = 0;

  /** The right to write includes the right to read. */
  function includes(scope: string): boolean {
    return scopes.includes(scope) || scopes.includes(scope.replace(/^read_/, 'write_'));
  }

  return {
    isKnown: (given: string | null) => (tokens.get(given ?? '') ?? 0) > now(),
    scopes: () => scopes,
    /** The scope that this field lacks. */
    missing(field: string): string | undefined {
      const needed = NEEDED[field];
      return needed === undefined || includes(needed) ? undefined : needed;
    },
    /** No token is good any more. */
    revoke: () => tokens.clear(),
    /** The answer of the token endpoint. */
    grant(form: Readonly<Record<string, unknown>>): { status: number; body: object } {
      if (form['grant_type'] !== 'client_credentials') return refused(400, 'unsupported_grant_type');
      if (form['client_id'] !== clientId) return refused(400, 'application_cannot_be_found');
      if (form['client_secret'] !== clientSecret) return refused(401, 'invalid_client');
      granted += 1;
      const fresh = `${token}_${granted}`;
      tokens.set(fresh, now() + TOKEN_SECONDS * 1000);
      return {
        status: 200,
        body: { access_token: fresh, scope: scopes.join(','), expires_in: TOKEN_SECONDS },
      };
    },
  };
}

function refused(status: number, error: string) {
  return { status, body: { error } };
}
