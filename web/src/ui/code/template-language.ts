import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { cssLanguage } from '@codemirror/lang-css';
import { autoCloseTags, htmlLanguage } from '@codemirror/lang-html';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

export type CodeLanguage = 'html' | 'css' | 'json' | 'text';

/** Colors are tokens, so they follow the theme without a new editor. */
const LOOK = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--c-tag)' },
  { tag: tags.attributeName, color: 'var(--c-attr)' },
  { tag: [tags.attributeValue, tags.string], color: 'var(--c-str)' },
  { tag: [tags.comment, tags.docComment], color: 'var(--c-com)', fontStyle: 'italic' },
  { tag: [tags.number, tags.unit, tags.color], color: 'var(--c-num)' },
  { tag: [tags.propertyName, tags.keyword], color: 'var(--c-tag)' },
]);

const EXPRESSION = new MatchDecorator({
  regexp: /\{\{[^}]*\}\}/g,
  decoration: ([found]) => Decoration.mark({ class: /\{\{[#/>]/.test(found) ? 'cm-block' : 'cm-variable' }),
});

/** Names, texts, and all other values of JSON. */
const JSON_VALUE = new MatchDecorator({
  regexp: /"(?:[^"\\]|\\.)*"(\s*:)?|\b(?:true|false|null|\d[\d.eE+-]*)\b/g,
  decoration: ([found, isName]) =>
    Decoration.mark({ class: isName ? 'cm-name' : found.startsWith('"') ? 'cm-text' : 'cm-number' }),
});

const marked = (matches: MatchDecorator) =>
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = matches.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = matches.updateDeco(update, this.decorations);
    }
  };

/** Without the suggestions that come with a grammar: those offered here are the variables alone. */
const GRAMMARS: Readonly<Record<CodeLanguage, readonly Extension[]>> = {
  html: [htmlLanguage, autoCloseTags],
  css: [cssLanguage],
  json: [ViewPlugin.fromClass(marked(JSON_VALUE), { decorations: (plugin) => plugin.decorations })],
  text: [],
};

/** How a template is colored, and which variables are offered after `{{`. */
export function templateLanguage(language: CodeLanguage, variables: () => readonly string[]): Extension[] {
  return [
    ...GRAMMARS[language],
    syntaxHighlighting(LOOK),
    ViewPlugin.fromClass(marked(EXPRESSION), { decorations: (plugin) => plugin.decorations }),
    autocompletion({ override: [(context) => complete(context, variables())] }),
  ];
}

function complete(context: CompletionContext, variables: readonly string[]): CompletionResult | null {
  const typed = context.matchBefore(/\{\{[\w.]*/);
  if (!typed) return null;
  return { from: typed.from + 2, options: variables.map((label) => ({ label, type: 'variable' })) };
}
