import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
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
import type { Mark } from './code-marks.ts';
import { makeScrollable } from './scrollable.ts';
import { type CodeLanguage, templateLanguage } from './template-language.ts';

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

  const marked = useRef<EditorView>(undefined);
  useEffect(() => {
    const editor = view.current;
    // Most templates have no faults: what shows them is loaded with the first one.
    if (!editor || (marks.length === 0 && marked.current !== editor)) return;
    marked.current = editor;
    let isLatest = true;
    import('./code-marks.ts').then(
      ({ showMarks }) => {
        if (isLatest && view.current === editor) showMarks(editor, marks);
      },
      () => undefined,
    );
    return () => {
      isLatest = false;
    };
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
