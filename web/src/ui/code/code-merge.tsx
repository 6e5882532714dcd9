import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { styleNonce } from '../../csp-nonce.ts';
import { text } from '../../i18n/text.ts';
import './code.css';
import { makeScrollable } from './scrollable.ts';
import { type CodeLanguage, templateLanguage } from './template-language.ts';

type CodeMergeProps = {
  readonly before: string;
  readonly after: string;
  readonly language: CodeLanguage;
  /** What the two sides are, for people who do not see them side by side. */
  readonly labels: { readonly before: string; readonly after: string };
  /** One below the other. */
  readonly isNarrow: boolean;
};

/** What changed between two texts, with the old struck and the new beside it. */
export function CodeMerge({ before, after, language, labels, isNarrow }: CodeMergeProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const sides = { parent: host.current, before, after, language, labels };
    const view = isNarrow ? unified(sides) : sideBySide(sides);
    return () => view.destroy();
  }, [before, after, language, labels, isNarrow]);
  return <div ref={host} className="cm-host merge" />;
}

type Sides = Omit<CodeMergeProps, 'isNarrow'> & { readonly parent: HTMLElement };

function unified({ parent, before, after, language, labels }: Sides): EditorView {
  const merge = unifiedMergeView({
    original: before,
    mergeControls: false,
    gutter: true,
    collapseUnchanged: { margin: 2, minSize: 4 },
  });
  const state = EditorState.create({ doc: after, extensions: [readOnly(language, labels.after), merge] });
  const view = new EditorView({ parent, state });
  makeScrollable(view, `${labels.before} → ${labels.after}`);
  return view;
}

function sideBySide({ parent, before, after, language, labels }: Sides): MergeView {
  const view = new MergeView({
    parent,
    a: { doc: before, extensions: readOnly(language, labels.before) },
    b: { doc: after, extensions: readOnly(language, labels.after) },
    collapseUnchanged: { margin: 2, minSize: 5 },
    gutter: true,
  });
  makeScrollable(view.a, labels.before);
  makeScrollable(view.b, labels.after);
  return view;
}

function readOnly(language: CodeLanguage, label: string): Extension[] {
  return [
    lineNumbers(),
    EditorView.lineWrapping,
    EditorState.phrases.of({ '$ unchanged lines': text('difference.unchanged') }),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.cspNonce.of(styleNonce()),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    templateLanguage(language, () => []),
  ];
}
