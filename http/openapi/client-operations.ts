import { hasRest } from '../../tools/contract/define.ts';
import { isForApps, type Registry } from '../../tools/contract/registry.ts';

/**
 * The file that tells the web client how to call each operation: a constant with its route, and the types of what it takes
 * and returns. A client contains the constants that it uses, and nothing of the tools.
 */
export function clientOperations({ tools }: Registry): string {
  const operations = tools
    .filter(hasRest)
    .filter((tool) => !isForApps(tool))
    .map(({ name, toolset, rest }) => ({
      name: camelCase(name),
      file: `../../../tools/${toolset}/${name.replaceAll('_', '-')}.ts`,
      route: rest.route,
      type: rest.list ? 'ListOperation' : 'Operation',
    }));
  return [
    '// Generated from the tools by `npm run generate`.',
    "import type { ListOperation, Operation } from './operation.ts';",
    '',
    ...operations.map(
      ({ name, file, route, type }) =>
        `export const ${name} = '${route}' as ${type}<typeof import('${file}').${name}>;`,
    ),
    '',
  ].join('\n');
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
