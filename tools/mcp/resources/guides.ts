import { readFile } from 'node:fs/promises';

/** A page of the documents that helps a model to write what the product takes. */
export type Guide = {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly file: string;
};

/** In the order a newcomer reads them. */
export const GUIDES: readonly Guide[] = [
  {
    uri: 'guide://getting-started',
    name: 'getting-started',
    title: 'Getting started',
    file: 'guides/assistants.md',
  },
  {
    uri: 'guide://template-language',
    name: 'template-language',
    title: 'Template language',
    file: 'template-language.md',
  },
  { uri: 'guide://lint', name: 'lint', title: 'Lint rules', file: 'lint.md' },
  {
    uri: 'guide://video-templates',
    name: 'video-templates',
    title: 'Writing video templates',
    file: 'video-templates.md',
  },
];

export function guideOf(uri: string): Guide | undefined {
  return GUIDES.find((guide) => guide.uri === uri);
}

export function readGuide({ file }: Guide): Promise<string> {
  return readFile(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');
}
