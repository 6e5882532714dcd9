// The browser comes from the machine or from @sparticuz/chromium (src/platform/browser); an install fetches nothing.
module.exports = { skipDownload: true };
