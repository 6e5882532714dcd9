import Handlebars from 'handlebars';
import { type Problem, problemAt } from '../problem.ts';
import type { LiteralNode, Location, PathNode, ProgramNode } from './ast.ts';

/** What the generated parser leaves behind when it stops. */
type Lexer = {
  setInput(text: string): void;
  lex(): number;
  readonly match: string;
  /** The input after the current token. */
  readonly _input: string;
  readonly yytext: string;
  readonly yylloc: {
    readonly first_line: number;
    readonly first_column: number;
    readonly last_line: number;
    readonly last_column: number;
  };
};

type Parser = { readonly lexer: Lexer; readonly terminals_: Readonly<Record<number, string>> };

// The typings leave the parser out; `Handlebars.Parser` is part of the object since 2.0.
const parser = (Handlebars as unknown as { Parser: Parser }).Parser;

/** Parses one field, without the whitespace control that `trimWhitespace` applies. */
export function parse(text: string, field: string): { program: ProgramNode } | { problem: Problem } {
  try {
    // Handlebars types its nodes by one open interface; ours are the same nodes as a closed union.
    return { program: Handlebars.parseWithoutProcessing(text) as unknown as ProgramNode };
  } catch (error) {
    return { problem: explain(error instanceof Error ? error.message : String(error), text, field, error) };
  }
}

/** Handlebars' own whitespace control (`~` and lines that hold only a block tag), in place. */
export function trimWhitespace(program: ProgramNode): void {
  // See `parse`: a tree in, the same tree out.
  Handlebars.parse(program as unknown as string);
}

/** `{{"a name"}}` and `{{12}}` mean the variable of that name. */
export function asPath(node: PathNode | LiteralNode): PathNode {
  if (node.type === 'PathExpression') return node;
  const name = String(node.original);
  return { type: 'PathExpression', data: false, depth: 0, parts: [name], original: name, loc: node.loc };
}

function explain(message: string, text: string, field: string, error: unknown): Problem {
  const named = namedProblem(message, field, error);
  if (named) return named;
  const { yylloc, match, _input: rest } = parser.lexer;
  const begin = { loc: at(yylloc.first_line, yylloc.first_column) };
  if (message.startsWith('Lexical error')) {
    return problemAt('template_invalid.character', field, { loc: at(yylloc.last_line, yylloc.last_column) });
  }
  if (message.endsWith("got 'INVALID'") && !rest.includes('}}')) {
    return problemAt('template_invalid.mustache_open', field, begin);
  }
  if (!message.endsWith("got 'EOF'")) {
    return problemAt('template_invalid.unexpected', field, begin, { token: quoted(match) });
  }
  const open = lastOpenBlock(text);
  if (open) return problemAt('template_invalid.block_open', field, open, { tag: quoted(open.tag) });
  return problemAt('template_invalid.text_ends', field, begin);
}

/** Mistakes that Handlebars finds in a node it has already built, such as a block closed by another name. */
function namedProblem(message: string, field: string, error: unknown): Problem | null {
  if (!(error instanceof Handlebars.Exception) || error.lineNumber === undefined) return null;
  const place = { loc: at(Number(error.lineNumber), Number(error.column)) };
  const reason = message.replace(/ - \d+:\d+$/, '');
  const [, open, close] = /^(.+) doesn't match (.+)$/s.exec(reason) ?? [];
  if (open === undefined || close === undefined)
    return problemAt('template_invalid.syntax', field, place, { reason });
  return problemAt('template_invalid.block_mismatch', field, place, {
    open: quoted(open),
    close: quoted(close),
  });
}

function lastOpenBlock(text: string): { tag: string; loc: Location } | null {
  const open: { tag: string; loc: Location }[] = [];
  const { lexer } = parser;
  try {
    lexer.setInput(text);
    for (let token = lexer.lex(); !isEnd(token); token = lexer.lex()) {
      const name = terminal(token);
      const { first_line, first_column } = lexer.yylloc;
      if (name === 'OPEN_ENDBLOCK') open.pop();
      const opens = name === 'OPEN_BLOCK' || name === 'OPEN_INVERSE' || name === 'OPEN_PARTIAL_BLOCK';
      if (!opens) continue;
      const tag = lexer.match;
      lexer.lex();
      open.push({ tag: `${tag}${lexer.yytext}`, loc: at(first_line, first_column) });
    }
  } catch {
    return null;
  }
  return open.at(-1) ?? null;
}

/** The end of the text is a token once, and after that the number 1. */
function isEnd(token: number | string): boolean {
  return token === 1 || terminal(token) === 'EOF';
}

function terminal(token: number | string): string {
  // The lexer returns a number, or for one kind of token its name.
  return typeof token === 'string' ? token : (parser.terminals_[token] ?? '');
}

function at(line: number, column: number): Location {
  return { start: { line, column } };
}

function quoted(text: string): string {
  return `"${text.trim().slice(0, 40)}"`;
}
