import { z } from 'zod';
import { Document, Template } from '../../src/templates/schema.ts';
import { Refused, refusalOf } from '../failure.ts';
import type { CallRequest } from '../request.ts';
import { type Server, send } from '../server.ts';
import type { LocalTemplate } from './folder.ts';

const Page = z.object({ items: z.array(z.object({ name: z.string() })), next_cursor: z.string().nullable() });
const Held = Template.partial().extend({ name: z.string(), version: z.string() });
const Saved = z.object({ version: z.string(), created: z.boolean() });

/** The templates of a server, as files know them. */
export type ServerTemplates = {
  names(): Promise<readonly string[]>;
  /** The head of a branch; undefined where there is no such template, or no such branch. */
  head(name: string, branch: string): Promise<LocalTemplate | undefined>;
  /** The content of a version. */
  version(name: string, version: string): Promise<Document | undefined>;
  create(template: LocalTemplate, message: string): Promise<string>;
  /** Saves a new version, unless the branch has moved since `expected`. @throws Refused */
  update(
    name: string,
    change: Readonly<Record<string, unknown>>,
  ): Promise<{ version: string; created: boolean }>;
  /** Makes a branch that begins at a version, or at the head of main. */
  createBranch(name: string, branch: string, from: string | undefined): Promise<void>;
};

export function serverTemplates(server: Server): ServerTemplates {
  const ask = async (request: CallRequest): Promise<unknown> => {
    const response = await send(server, request);
    if (!response.ok) throw await refusalOf(response);
    return response.json();
  };
  const at = (name: string, more = '') => `/v1/templates/${encodeURIComponent(name)}${more}`;
  return {
    async names() {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const from: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page = Page.parse(await ask({ method: 'GET', path: `/v1/templates?limit=200${from}` }));
        found.push(...page.items.map(({ name }) => name));
        cursor = page.next_cursor;
      } while (cursor !== null);
      return found.sort();
    },
    async head(name, branch) {
      const path = at(name, `?include=html&branch=${encodeURIComponent(branch)}`);
      const held = Held.optional().parse(await orMissing(ask({ method: 'GET', path })));
      if (!held) return undefined;
      const { kind = 'template', description = '', tags = [], version } = held;
      return {
        name: held.name,
        note: { kind, description, tags, branch, version, fields: {} },
        document: documentOf(held),
      };
    },
    async version(name, version) {
      const held = await orMissing(
        ask({ method: 'GET', path: at(name, `/versions/${encodeURIComponent(version)}`) }),
      );
      return held === undefined ? undefined : documentOf(held);
    },
    async create({ name, note: { kind, description, tags }, document }, message) {
      const body = { name, kind, description, tags, ...document, message };
      return Held.parse(await ask({ method: 'POST', path: '/v1/templates', body })).version;
    },
    async update(name, change) {
      return Saved.parse(await ask({ method: 'PATCH', path: at(name), body: change }));
    },
    async createBranch(name, branch, from) {
      const body = { name: branch, ...(from !== undefined && { from }) };
      await ask({ method: 'POST', path: at(name, '/branches'), body });
    },
  };
}

/** The part of an answer that is the template's content. */
function documentOf(held: unknown): Document {
  const answer = z.looseObject({}).parse(held);
  const fields = Object.keys(Document.shape).filter(
    (field) => answer[field] !== undefined && answer[field] !== null,
  );
  return Document.parse(Object.fromEntries(fields.map((field) => [field, answer[field]])));
}

async function orMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error: unknown) => {
    if (error instanceof Refused && error.problem.status === 404) return undefined;
    throw error;
  });
}
