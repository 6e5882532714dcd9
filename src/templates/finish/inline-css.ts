import juice from 'juice';

/** With one colon or two. */
const PSEUDO_ELEMENTS = [':before', ':after'];

/**
 * Copies the rules of `<style>` elements into style attributes, for email clients that ignore style elements. What no attribute
 * can hold stays in a `<style>`: media queries, fonts, rules on pseudo classes, and those that no element answers to, because email
 * programs put in their own (`[data-ogsc]`, `.ExternalClass`, `u + .body`). A style element marked `data-embed` stays unchanged. Never asks the network: only juice's functions for files and addresses do.
 */
export function inlineCss(html: string): string {
  // What looks like a tag of another template language is text in a finished email.
  for (const name of Object.keys(juice.codeBlocks)) delete juice.codeBlocks[name];
  // `align` on a table moves the table, which `text-align` does not.
  delete juice.styleToAttribute['text-align'];
  return juice(html, {
    removeStyleTags: false,
    removeInlinedSelectors: true,
    preservePseudos: true,
    preserveImportant: true,
    preservedSelectors: PSEUDO_ELEMENTS,
  });
}
