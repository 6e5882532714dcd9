import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
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

export type CodeLanguage = 'html' | 'css' | 'text';

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

class Expressions {
  decorations: DecorationSet;
  constructor(view: EditorView) {
    this.decorations = EXPRESSION.createDeco(view);
  }
  update(update: ViewUpdate) {
    this.decorations = EXPRESSION.updateDeco(update, this.decorations);
  }
}

/** How a template is colored, and which variables are offered after `{{`. */
export function templateLanguage(language: CodeLanguage, variables: () => readonly string[]): Extension[] {
  return [
    ...(language === 'html' ? [html()] : language === 'css' ? [css()] : []),
    syntaxHighlighting(LOOK),
    ViewPlugin.fromClass(Expressions, { decorations: (plugin) => plugin.decorations }),
    autocompletion({ override: [(context) => complete(context, variables())] }),
  ];
}

function complete(context: CompletionContext, variables: readonly string[]): CompletionResult | null {
  const typed = context.matchBefore(/\{\{[\w.]*/);
  if (!typed) return null;
  return { from: typed.from + 2, options: variables.map((label) => ({ label, type: 'variable' })) };
}
