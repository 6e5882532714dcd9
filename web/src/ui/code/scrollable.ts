import type { EditorView } from '@codemirror/view';

/** What scrolls can be reached and named without a mouse. */
export function makeScrollable(editor: EditorView, label: string): void {
  editor.scrollDOM.tabIndex = 0;
  editor.scrollDOM.setAttribute('role', 'group');
  editor.scrollDOM.setAttribute('aria-label', label);
}
