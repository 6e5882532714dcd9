import { readFile } from 'node:fs/promises';
import {
  buildSchema,
  findBreakingChanges,
  type GraphQLSchema,
  NoDeprecatedCustomRule,
  parse,
  print,
  specifiedRules,
  validate,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { adminSchema } from '../../src/emulators/shopify/engine.ts';
import { pruneShopifySchema, SUBSET_FILE } from './prune-shopify-schema.ts';
import {
  CURRENT_VERSION,
  contractsArePresent,
  operations,
  readShopifySchema,
  VERSIONS,
} from './shopify-contract.ts';

if (!contractsArePresent) {
  process.stderr.write('NOT CHECKED: the published schemas of the Admin API are absent\n');
}

const subset = buildSchema(await readFile(SUBSET_FILE, 'utf8'));

/** What is wrong with each operation, by its name. */
function faultsBy(schema: GraphQLSchema, rules = specifiedRules) {
  const faults = Object.entries(operations).map(([name, text]) => {
    return [name, validate(schema, parse(text), rules).map(({ message }) => message)] as const;
  });
  return Object.fromEntries(faults.filter(([, messages]) => messages.length > 0));
}

/** What the one has and the other has not, or has otherwise. */
function breaksBetween(ours: GraphQLSchema, published: GraphQLSchema) {
  const breaks = findBreakingChanges(ours, published).map(({ description }) => description);
  // The library's own @deprecated may stand at more places than the one that the service publishes; we use it nowhere.
  return breaks.filter((description) => !description.endsWith('removed from deprecated.'));
}

test('every operation is valid in our part of the schema', () => {
  expect(faultsBy(subset)).toEqual({});
});

describe.skipIf(!contractsArePresent).each(VERSIONS)(
  'the Admin API %s (skipped without its schema)',
  (version) => {
    let published: GraphQLSchema;
    beforeAll(async () => {
      published = await readShopifySchema(version);
    });

    test('every operation is valid', () => {
      expect(faultsBy(published)).toEqual({});
    });

    test('no operation uses what is deprecated', () => {
      expect(faultsBy(published, [NoDeprecatedCustomRule])).toEqual({});
    });

    test('our part of it has nothing that it does not have with the same types', () => {
      expect(breaksBetween(subset, published)).toEqual([]);
    });

    test('nor has what the emulator makes of it for this version', () => {
      expect(breaksBetween(adminSchema(version), published)).toEqual([]);
    });
  },
);

test.skipIf(!contractsArePresent)(
  'our part is what the pruning makes of the published schema today',
  async () => {
    const published = await readShopifySchema(CURRENT_VERSION);
    const pruned = pruneShopifySchema(published, Object.values(operations));
    // Printed alike: the file is formatted as all others are.
    expect(print(parse(await readFile(SUBSET_FILE, 'utf8')))).toBe(print(parse(pruned)));
  },
);
