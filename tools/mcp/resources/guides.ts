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

/** The cursor of the page after the guides, for a list that began without the templates. */
export const AFTER_GUIDES = 'templates';

/** The guides as a list of resources shows them. */
export function guideResources() {
  return GUIDES.map(({ uri, name, title }) => ({
    uri,
    name,
    title,
    mimeType: 'text/markdown',
    annotations: { audience: ['assistant' as const] },
  }));
}

export function guideOf(uri: string): Guide | undefined {
  return GUIDES.find((guide) => guide.uri === uri);
}

export function readGuide({ file }: Guide): Promise<string> {
  return readFile(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');
}
