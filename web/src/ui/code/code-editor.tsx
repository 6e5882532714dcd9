import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { styleNonce } from '../../csp-nonce.ts';
import './code.css';
import { makeScrollable } from './scrollable.ts';
import { type CodeLanguage, templateLanguage } from './template-language.ts';

/** Something to mark in the margin; lines and columns count from 1. */
export type Mark = {
  readonly line: number;
  readonly col: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
};

type CodeEditorProps = {
  readonly value: string;
  readonly language: CodeLanguage;
  readonly label: string;
  readonly onChange: (value: string) => void;
  readonly variables?: readonly string[];
  readonly marks?: readonly Mark[];
};

const NONE: readonly never[] = [];

/** Marks a text that came from outside, so that it does not go out again as if it were typed. */
const fromOutside = Annotation.define<true>();

/** The source of a template. What is typed goes out by `onChange`; another `value` from outside replaces the text. */
export function CodeEditor({
  value,
  language,
  label,
  onChange,
  variables = NONE,
  marks = NONE,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ onChange, variables, value });
  latest.current = { onChange, variables, value };

  useEffect(() => {
    if (!host.current) return;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: extensionsOf(language, label, latest),
      }),
    });
    makeScrollable(editor, label);
    view.current = editor;
    return () => editor.destroy();
  }, [language, label]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: fromOutside.of(true),
    });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor)
      editor.dispatch(
        setDiagnostics(
          editor.state,
          marks.map((mark) => diagnosticOf(mark, editor)),
        ),
      );
  }, [marks]);

  return <div ref={host} className="cm-host" />;
}

type Latest = {
  readonly current: { readonly onChange: (value: string) => void; readonly variables: readonly string[] };
};

function extensionsOf(language: CodeLanguage, label: string, latest: Latest) {
  return [
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    drawSelection(),
    history(),
    lintGutter(),
    EditorState.tabSize.of(2),
    EditorView.lineWrapping,
    EditorView.cspNonce.of(styleNonce()),
    EditorView.contentAttributes.of({ 'aria-label': label }),
    templateLanguage(language, () => latest.current.variables),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.updateListener.of((update) => {
      const isTyped = !update.transactions.some((each) => each.annotation(fromOutside));
      // At once: a `value` that comes back after the next key would replace what that key wrote.
      if (update.docChanged && isTyped) flushSync(() => latest.current.onChange(update.state.doc.toString()));
    }),
  ];
}

function diagnosticOf({ line, col, severity, message }: Mark, { state }: EditorView): Diagnostic {
  const at = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  const from = Math.min(at.from + Math.max(col - 1, 0), at.to);
  return { from, to: at.to, severity, message };
}
