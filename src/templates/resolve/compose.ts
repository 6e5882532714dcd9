import { LRUCache } from 'lru-cache';
import { Fault } from '../../errors.ts';
import { closest } from '../../platform/closest.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { Engine, Program } from '../engine/engine.ts';
import type { Finisher } from '../finish/finish.ts';
import { prepareMjml } from '../finish/mjml/mask-expressions.ts';
import { partNames } from '../repository/template-repo.ts';
import {
  type PartChoice,
  type PartRequest,
  type PartRow,
  selectParts,
  type Use,
} from '../repository/version-repo.ts';
import type { Document, TemplateKind } from '../schema.ts';
import { hashDocument } from '../versions/document.ts';

/** Everything one render needs, compiled: the content, its layout, and all partials reached from either. */
export type Composition = {
  readonly program: Program;
  readonly layout: Program | undefined;
  readonly partials: ReadonlyMap<string, Program>;
  /** What the content itself uses, with the versions found. */
  readonly uses: readonly Use[];
};

/** Where a composition finds layouts and partials: one answer per request, undefined where there is none. */
export type PartSource = (
  accountId: string,
  requests: readonly PartRequest[],
  choice: PartChoice,
) => Promise<readonly (PartRow | undefined)[]>;

export type Composer = ReturnType<typeof createComposer>;

type ComposerDeps = { readonly sql: Sql; readonly engine: Engine; readonly finisher: Finisher };
type Compile = (accountId: string, kind: TemplateKind, document: Document) => Promise<Program>;

const MAX_PARTIALS = 64;
/** Characters of the contents kept compiled, which take several times their size. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;

/** The parts that an account has stored. */
export function storedParts(sql: Sql): PartSource {
  return (accountId, requests, choice) => selectParts(sql, accountId, requests, choice);
}

/** Joins a content with the layout and partials it names. Compiled contents are cached by their hash. */
export function createComposer({ sql, engine, finisher }: ComposerDeps) {
  const programs = new LRUCache<string, Promise<Program>>({ max: 5000, maxSize: KEPT_CHARACTERS });

  /**
   * Compiles a content, once per process however many versions and callers share it. It takes no signal, since it does
   * not end with one of its callers.
   */
  function prepare(accountId: string, kind: TemplateKind, document: Document): Promise<Program> {
    const key = `${kind}:${hashDocument(document)}`;
    const cached = programs.get(key);
    if (cached) return cached;
    const { layout, format, ...fields } = document;
    const source = { kind, ...fields, inLayout: layout !== undefined };
    const program =
      format === 'mjml'
        ? prepareMjml({ engine, finisher }, source, { accountId })
        : engine.prepare(source, { accountId });
    const texts = [source.html, source.subject, source.preheader, source.text, source.css];
    const size = texts.reduce((sum, text = '') => sum + text.length, 1);
    programs.set(key, program, { size });
    // A content that failed is compiled again when it is sent again: the fault may have been a lack of time.
    program.catch(() => programs.delete(key));
    return program;
  }

  const compile = prepare;
  const namesOf: NamesOf = (accountId, kind) => partNames(sql, accountId, kind);
  const compose = (source: PartSource) => composeFrom({ source, compile, namesOf });

  return {
    prepare,
    compose: compose(storedParts(sql)),
    /** The same with other parts than those stored, such as ones that are about to be. */
    composeFrom: compose,

    /** The partials that a program includes, and those they include in turn, by name. */
    async partialsOf(
      accountId: string,
      program: Program,
      choice: PartChoice,
    ): Promise<ReadonlyMap<string, Part>> {
      const joiner = { source: storedParts(sql), compile, namesOf };
      return (await joinParts(joiner, accountId, { program, pins: [] }, choice)).partials;
    },
  };
}

type Joiner = { readonly source: PartSource; readonly compile: Compile; readonly namesOf: NamesOf };
type NamesOf = (accountId: string, kind: Use['kind']) => Promise<readonly string[]>;

function composeFrom(joiner: Joiner) {
  return async function compose(
    accountId: string,
    kind: TemplateKind,
    document: Document,
    choice: PartChoice,
    pins: readonly Use[] = [],
  ): Promise<Composition> {
    const program = await joiner.compile(accountId, kind, document);
    const content = { program, layout: document.layout, pins };
    const { layout, partials, uses } = await joinParts(joiner, accountId, content, choice);
    const programs = [...partials].map(([name, part]) => [name, part.program] as const);
    return { program, layout: layout?.program, partials: new Map(programs), uses };
  };
}

type Joined = {
  readonly layout: Part | undefined;
  readonly partials: ReadonlyMap<string, Part>;
  /** What the content itself uses. */
  readonly uses: readonly Use[];
};

/** Finds the parts of a content. @throws Fault template_invalid.missing_part, template_too_complex.partials */
async function joinParts(
  { source, compile, namesOf }: Joiner,
  accountId: string,
  content: PartUser,
  choice: PartChoice,
): Promise<Joined> {
  const loader = createPartLoader((requests) => source(accountId, requests, choice), compile, accountId);
  await loader.loadLevels(content);
  const partials = new Map<string, Part>();
  const layout = content.layout === undefined ? undefined : await layoutOf(content.layout);
  if (layout) await addPartials({ program: layout.program, pins: layout.uses });
  const used = await addPartials(content);
  return { layout, partials, uses: layout ? [useOf(layout, 'layout'), ...used] : used };

  async function layoutOf(name: string): Promise<Part> {
    return (await loader.find(requestOf(content, 'layout', name))) ?? missing('layout', name);
  }

  /** Adds the partials of `user` and what they need in turn; returns what `user` itself uses. */
  async function addPartials(user: PartUser): Promise<Use[]> {
    const found: Use[] = [];
    for (const request of partialsOf(user)) {
      const part = await loader.find(request);
      // A partial block brings its own content for when there is no such partial.
      if (!part && request.optional) continue;
      await addPartial(part ?? (await missing('partial', request.name)), found);
    }
    return found;
  }

  async function addPartial(part: Part, found: Use[]): Promise<void> {
    found.push(useOf(part, 'partial'));
    if (partials.has(part.name)) return;
    if (partials.size >= MAX_PARTIALS)
      throw new Fault('template_too_complex.partials', { limit: MAX_PARTIALS });
    partials.set(part.name, part);
    await addPartials({ program: part.program, pins: part.uses });
  }

  async function missing(kind: Use['kind'], name: string): Promise<never> {
    const suggestion = closest(name, await namesOf(accountId, kind));
    const [key, params] =
      suggestion === undefined
        ? (['template_invalid.missing_part', { kind, name }] as const)
        : (['template_invalid.missing_part_close', { kind, name, suggestion }] as const);
    const loc = ['body', kind === 'layout' ? 'layout' : 'html'];
    throw new Fault(key, params, { errors: [{ loc, key, params }] });
  }
}

/** What names parts: the content, its layout or a partial. Pins are the versions its own version was saved with. */
type PartUser = {
  readonly program: Program;
  readonly layout?: string | undefined;
  readonly pins: readonly Use[];
};

type Part = PartRow & { readonly name: string; readonly program: Program };
type Loaded = { readonly part: Part } | { readonly error: unknown } | undefined;

/** Finds and compiles parts, each once, and asks for all that a level names in one request. */
function createPartLoader(
  select: (requests: readonly PartRequest[]) => ReturnType<PartSource>,
  compile: Compile,
  accountId: string,
) {
  const loaded = new Map<string, Loaded>();

  async function load(requests: readonly PartRequest[]): Promise<void> {
    const open = new Map(
      requests.map((request) => [keyOf(request), request] as const).filter(([key]) => !loaded.has(key)),
    );
    if (open.size === 0) return;
    const rows = await select([...open.values()]);
    for (const [index, [key, request]] of [...open].entries()) {
      const row = rows[index];
      loaded.set(key, row && (await compiled(request, row)));
    }
  }

  /** An error waits until the part is found to be used. */
  async function compiled({ kind, name }: PartRequest, { id, uses, document }: PartRow): Promise<Loaded> {
    try {
      return { part: { id, uses, document, name, program: await compile(accountId, kind, document) } };
    } catch (error) {
      return { error };
    }
  }

  function partOf(request: PartRequest): Part | undefined {
    const found = loaded.get(keyOf(request));
    return found && 'part' in found ? found.part : undefined;
  }

  return {
    /** Loads ahead, one level after the other, until nothing new is named or there are too many. */
    async loadLevels(content: PartUser): Promise<void> {
      const names = new Set<string>();
      for (let users = [content]; users.length > 0 && names.size <= MAX_PARTIALS; ) {
        const requests = users.flatMap(requestsOf).filter(({ name }) => !names.has(name));
        await load(requests);
        for (const { name } of requests) names.add(name);
        users = requests.flatMap((request) => {
          const part = partOf(request);
          return part ? [{ program: part.program, pins: part.uses }] : [];
        });
      }
    },

    /** @throws the error of compiling it */
    async find(request: PartRequest): Promise<Part | undefined> {
      await load([request]);
      const found = loaded.get(keyOf(request));
      if (found && 'error' in found) throw found.error;
      return found?.part;
    },
  };
}

function requestsOf(user: PartUser): PartRequest[] {
  const partials = partialsOf(user);
  return user.layout === undefined ? partials : [requestOf(user, 'layout', user.layout), ...partials];
}

function partialsOf(user: PartUser): PartRequest[] {
  const { partials, optionalPartials } = user.program;
  return [
    ...[...partials].map((name) => requestOf(user, 'partial', name)),
    ...[...optionalPartials].map((name) => ({ ...requestOf(user, 'partial', name), optional: true })),
  ];
}

function requestOf({ pins }: PartUser, kind: Use['kind'], name: string): PartRequest {
  const pin = pins.find((candidate) => candidate.kind === kind && candidate.name === name)?.version_id;
  return { kind, name, pin, optional: false };
}

function keyOf({ kind, name, pin, optional }: PartRequest): string {
  return JSON.stringify([kind, name, pin ?? '', optional]);
}

function useOf({ name, id }: Part, kind: Use['kind']): Use {
  return { kind, name, version_id: id };
}
