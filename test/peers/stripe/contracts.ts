import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Params } from './forms.ts';

/** The published request types that are compiled; the other endpoints are read by schemas of their own. */
export type StripeContract = 'CheckoutCreate' | 'PortalCreate' | 'SubUpdate';

export type ContractFault = {
  readonly code: 'parameter_unknown' | 'parameter_missing' | 'parameter_invalid';
  readonly param: string;
  readonly message: string;
};

const FOLDER = new URL('../../../../shared/contracts/', import.meta.url);

/** True where the folder with the published schemas is; without it these requests go unchecked, and a line on standard error says so. */
export const stripeContractsArePresent = existsSync(FOLDER);

const checks = new Map<StripeContract, ValidateFunction>();

/** What is wrong with a form by the published type of its request; the texts of the form are read as the type says. */
export function contractFaults(contract: StripeContract, params: Params): readonly ContractFault[] {
  if (!stripeContractsArePresent) {
    process.stderr.write(
      `NOT CHECKED: ${FOLDER.pathname} is absent, a ${contract} to Stripe was not validated\n`,
    );
    return [];
  }
  const validate = checks.get(contract) ?? compiled(contract);
  checks.set(contract, validate);
  // Coercion writes into what it reads.
  if (validate(structuredClone(params))) return [];
  return (validate.errors ?? []).map(({ keyword, instancePath, params: details, message }) => {
    const path = instancePath.split('/').slice(1);
    if (keyword === 'additionalProperties') {
      const name = named([...path, String(details['additionalProperty'])]);
      return { code: 'parameter_unknown', param: name, message: `Received unknown parameter: ${name}` };
    }
    if (keyword === 'required') {
      const name = named([...path, String(details['missingProperty'])]);
      return { code: 'parameter_missing', param: name, message: `Missing required param: ${name}.` };
    }
    return { code: 'parameter_invalid', param: named(path), message: `Invalid ${named(path)}: ${message}` };
  });
}

/** The SDK's enums are open to values of later versions; here only those of this version are. */
function compiled(contract: StripeContract): ValidateFunction {
  const file = new URL(`stripe-23.1.0-${contract}.schema.json.gz`, FOLDER);
  const schema: { definitions: Record<string, unknown> } = JSON.parse(
    gunzipSync(readFileSync(file)).toString(),
  );
  schema.definitions['OtherString'] = { not: {} };
  return new Ajv({ strict: false, coerceTypes: true, validateFormats: false }).compile(schema);
}

function named([first = '', ...rest]: readonly string[]): string {
  return first + rest.map((step) => `[${step}]`).join('');
}
