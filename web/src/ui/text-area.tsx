import { InputBase, type InputBaseProps } from '@mantine/core';
import type { ChangeEventHandler } from 'react';

type TextAreaProps = Pick<InputBaseProps, 'size' | 'label' | 'description' | 'error' | 'withAsterisk'> & {
  readonly 'aria-label'?: string;
  readonly value: string;
  readonly onChange: ChangeEventHandler<HTMLTextAreaElement>;
};

/** A field of several lines that grows with its text: by the browser itself, so no script measures it. */
export function TextArea(props: TextAreaProps) {
  return <InputBase component="textarea" multiline rows={2} className="grows" {...props} />;
}
