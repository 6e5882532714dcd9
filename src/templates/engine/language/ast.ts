/** The part of Handlebars' syntax tree that the engine reads and rewrites. */
export type Location = {
  readonly start: { readonly line: number; readonly column: number };
};

export type PathNode = {
  readonly type: 'PathExpression';
  readonly data: boolean;
  readonly depth: number;
  readonly parts: readonly string[];
  original: string;
  readonly loc?: Location | undefined;
};

export type LiteralNode = {
  readonly type: 'StringLiteral' | 'NumberLiteral' | 'BooleanLiteral' | 'UndefinedLiteral' | 'NullLiteral';
  readonly value?: string | number | boolean | undefined;
  readonly original?: string | number | boolean | undefined;
  readonly loc?: Location | undefined;
};

export type HashNode = {
  readonly type: 'Hash';
  readonly pairs: readonly { readonly key: string; readonly value: ExpressionNode }[];
};

type Call = {
  path: PathNode;
  params: ExpressionNode[];
  hash?: HashNode | undefined;
  loc?: Location | undefined;
};

export type SubExpressionNode = Call & { readonly type: 'SubExpression' };

export type ExpressionNode = PathNode | LiteralNode | SubExpressionNode;

export type MustacheNode = Call & { readonly type: 'MustacheStatement'; escaped: boolean };

export type BlockNode = Call & {
  readonly type: 'BlockStatement';
  readonly program?: ProgramNode | undefined;
  readonly inverse?: ProgramNode | undefined;
};

type PartialFields = {
  readonly name: PathNode | LiteralNode | SubExpressionNode;
  readonly params: ExpressionNode[];
  readonly hash?: HashNode | undefined;
  readonly loc?: Location | undefined;
};

export type PartialNode = PartialFields & { readonly type: 'PartialStatement' };

export type PartialBlockNode = PartialFields & {
  readonly type: 'PartialBlockStatement';
  readonly program: ProgramNode;
};

type DecoratorNode = Call & { readonly type: 'Decorator' };

export type DecoratorBlockNode = Call & { readonly type: 'DecoratorBlock'; readonly program: ProgramNode };

type ContentNode = {
  readonly type: 'ContentStatement';
  readonly value: string;
  readonly loc?: Location | undefined;
};

type CommentNode = { readonly type: 'CommentStatement'; readonly loc?: Location | undefined };

export type StatementNode =
  | MustacheNode
  | BlockNode
  | PartialNode
  | PartialBlockNode
  | DecoratorNode
  | DecoratorBlockNode
  | ContentNode
  | CommentNode;

export type CallNode = MustacheNode | BlockNode | SubExpressionNode | DecoratorNode | DecoratorBlockNode;

export type ProgramNode = {
  readonly type: 'Program';
  readonly body: readonly StatementNode[];
  readonly blockParams?: readonly string[] | undefined;
  /** True on the `else if` half of a chain. */
  readonly chained?: boolean | undefined;
  readonly loc?: Location | undefined;
};

/** Handlebars reads a path that starts with `this` or a dot in the current context only; the pattern is its own, with its quirk that `do_this` matches too. */
export function isScoped(path: PathNode): boolean {
  return /^\.|this\b/.test(path.original);
}

/** A name alone: the only form that can call a helper or mean a block parameter. */
export function isSimple(path: PathNode): boolean {
  return path.parts.length === 1 && path.depth === 0 && !isScoped(path);
}

/** The definition in `{{#*inline "name"}}`. */
export function inlineName(node: DecoratorBlockNode): string {
  const name = node.params[0];
  return name?.type === 'StringLiteral' ? String(name.value) : '';
}

export function partialName(node: PartialNode | PartialBlockNode): string {
  return node.name.type === 'SubExpression' ? '' : String(node.name.original);
}
