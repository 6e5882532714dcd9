// Prints once, says so, and stays: started by a test that kills it.
import { A4, openTestBrowser, patient } from './support.ts';

const browser = openTestBrowser();
await browser.print('<p>x', A4, patient);
console.log('printed');
setInterval(() => {}, 60_000);
