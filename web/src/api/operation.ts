import type { z } from 'zod';

declare const TOOL: unique symbol;

type AnyTool = { readonly input: z.ZodType; readonly output: z.ZodType };

/** The route of an operation, such as `GET /v1/templates/{template}`, which knows its tool's types. */
export type Operation<Tool extends AnyTool = AnyTool> = string & { readonly [TOOL]: Tool };

/** An operation whose answer over REST is an array, with the next page in a header. */
export type ListOperation<Tool extends AnyTool = AnyTool> = Operation<Tool> & { readonly isList?: never };

export type Input<Op extends Operation> = z.input<Op[typeof TOOL]['input']>;

export type Output<Op extends Operation> = z.output<Op[typeof TOOL]['output']>;
