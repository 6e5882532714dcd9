import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { StateEffect } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** Something to mark in the margin; lines and columns count from 1. */
export type Mark = {
  readonly line: number;
  readonly col: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
};

const withGutter = new WeakSet<EditorView>();

/** Marks these in the text and in the margin, in place of those that were there. */
export function showMarks(editor: EditorView, marks: readonly Mark[]): void {
  if (!withGutter.has(editor)) editor.dispatch({ effects: StateEffect.appendConfig.of(lintGutter()) });
  withGutter.add(editor);
  const diagnostics = marks.map((mark) => diagnosticOf(mark, editor));
  editor.dispatch(setDiagnostics(editor.state, diagnostics));
}

function diagnosticOf({ line, col, severity, message }: Mark, { state }: EditorView): Diagnostic {
  const at = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  const from = Math.min(at.from + Math.max(col - 1, 0), at.to);
  return { from, to: at.to, severity, message };
}
