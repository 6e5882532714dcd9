import type { Content } from './contents.ts';

/** Ways in which well-made mails are built; each lays out a content. */
export const FRAMES: Readonly<Record<string, (content: Content) => string>> = {
  'inlined tables': inlinedTables,
  'ghost tables': ghostTables,
  'drawn buttons': drawnButtons,
  'compiled components': compiledComponents,
  'plain letter': plainLetter,
};

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Tables all the way, styles inlined, classes left for phones and for dark mode. */
function inlinedTables(content: Content): string {
  const { lang, subject, preheader, title, footer } = content;
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" lang="${lang}">
  <head>
    <meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <meta name="color-scheme" content="light dark" />
    <title>${subject}</title>
    <style type="text/css" rel="stylesheet" media="all">
    @import url("https://fonts.example/css?family=Nunito");
    body { width: 100% !important; height: 100%; margin: 0; -webkit-text-size-adjust: none; }
    a img { border: none; }
    td { word-break: break-word; }
    .sub { color: #51545E; font-size: 13px; }
    @media only screen and (max-width: 600px) { .inner { width: 100% !important; } }
    @media (prefers-color-scheme: dark) { body, .inner { background-color: #333333 !important; color: #FFF !important; } }
    :root { color-scheme: light dark; }
    </style>
    <!--[if mso]>
    <style type="text/css">.f-fallback { font-family: Arial, sans-serif; }</style>
    <![endif]-->
  </head>
  <body style="background-color:#F2F4F6;color:#51545E;margin:0;padding:0;${FONT}">
    <span style="display:none !important;visibility:hidden;mso-hide:all;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden">${preheader}</span>
    <table width="100%" cellpadding="0" cellspacing="0" role="presentation" style="background-color:#F2F4F6">
      <tr><td align="center">
        <table class="inner" align="center" width="570" cellpadding="0" cellspacing="0" role="presentation" style="background-color:#FFFFFF">
          <tr><td style="padding:45px">
            <h1 style="margin-top:0;color:#333333;font-size:22px">${title}</h1>
            ${content.paragraphs.map((text) => `<p style="font-size:16px;line-height:1.625;margin:.4em 0 1.1875em">${text}</p>`).join('\n')}
            ${picture(content)}${rows(content)}${tableButton(content)}
          </td></tr>
          <tr><td align="center" style="padding:20px"><p class="sub" style="font-size:13px">${footer}</p></td></tr>
        </table>
      </td></tr>
    </table>
    <img src="https://open.example/o.gif?u=81" width="1" height="1" />
  </body>
</html>`;
}

/** Blocks for most clients, with tables in conditional comments for Outlook. */
function ghostTables(content: Content): string {
  const { lang, subject, preheader, title, paragraphs, footer } = content;
  return `<!doctype html>
<html lang="${lang}" dir="auto" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${subject}</title>
<!--[if !mso]><!--><link href="https://fonts.example/css?family=Inter" rel="stylesheet" type="text/css"><!--<![endif]-->
<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><![endif]-->
<!--[if mso | IE]><style>table{border-collapse:collapse}</style><![endif]-->
<style>
/* Clients */
#outlook a { padding: 0 } u + .body .wrap { width: 100vw } div[style*="margin: 16px 0"] { margin: 0 }
.btn:hover { opacity: .8 }
@media screen { @font-face { font-family: Inter; src: url(https://fonts.example/inter.woff2) format("woff2") } }
@media (min-width: 480px) { .col { width: 50% !important; display: inline-block } }
</style>
</head>
<body class="body" style="margin:0;padding:0;background-color:#ffffff">
<div style="display:none;max-height:0;overflow:hidden">${preheader}&#847;&zwnj;&nbsp;&#847;&zwnj;&nbsp;</div>
<div role="article" aria-roledescription="email" lang="${lang}" style="background-color:#ffffff;color:#1c2b36;${FONT}">
<!--[if mso]><table role="presentation" width="600" align="center"><tr><td><![endif]-->
<div class="wrap" style="max-width:600px;margin:0 auto;padding:24px">
<!--[if !mso]><!-- --><h1 style="font-size:26px">${title}</h1><!--<![endif]-->
<!--[if mso]><h1 style="font-size:26px">${title}</h1><![endif]-->
${paragraphs.map((text) => `<p style="font-size:17px;line-height:26px">${text}</p>`).join('\n')}
${picture(content)}${rows(content)}${tableButton(content)}
<hr style="border:0;border-top:1px solid #d5dde3">
<p style="font-size:13px;color:#51606b">${footer}</p>
</div>
<!--[if mso]></td></tr></table><![endif]-->
</div>
</body>
</html>`;
}

/** VML for Outlook where the others draw a button and a background with CSS. */
function drawnButtons(content: Content): string {
  const { lang, subject, preheader, title, paragraphs, button, footer } = content;
  const drawn = button
    ? `<div><!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="${button.url}" style="height:44px;width:240px" arcsize="10%" fillcolor="#0b5c8a"><center style="color:#ffffff">${button.text}</center></v:roundrect><![endif]--><!--[if !mso]><!--><a href="${button.url}" style="background-color:#0b5c8a;border-radius:4px;color:#ffffff;display:inline-block;font-family:sans-serif;font-size:15px;font-weight:bold;line-height:44px;text-align:center;text-decoration:none;width:240px;mso-hide:all">${button.text}</a><!--<![endif]--></div>`
    : '';
  return `<!DOCTYPE html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light"><title>${subject}</title></head>
<body bgcolor="#eef2f5" style="margin:0">
<div style="display:none">${preheader}</div>
<table role="none" border="0" cellpadding="0" cellspacing="0" width="100%" bgcolor="#eef2f5"><tr>
<td background="https://img.harbour.example/waves.png" bgcolor="#0b5c8a" valign="top" style="background:#0b5c8a url(https://img.harbour.example/waves.png) center/cover no-repeat">
<!--[if gte mso 9]><v:rect xmlns:v="urn:schemas-microsoft-com:vml" fill="true" stroke="false" style="width:600px;height:120px"><v:fill type="tile" src="https://img.harbour.example/waves.png" color="#0b5c8a"/><v:textbox inset="0,0,0,0"><![endif]-->
<div><h1 style="color:#ffffff;font-family:Georgia,serif;text-shadow:0 1px 2px rgba(0,0,0,.4)">${title}</h1></div>
<!--[if gte mso 9]></v:textbox></v:rect><![endif]-->
</td></tr><tr><td bgcolor="#ffffff" style="padding:30px;color:#1c2b36;font-family:Georgia,'Times New Roman',serif;font-size:16px">
${paragraphs.map((text) => `<p>${text}</p>`).join('<br>')}
${picture(content)}${rows(content)}${drawn}
<p style="font-size:12px;color:#51606b">${footer}</p>
</td></tr></table></body></html>`;
}

/** What component libraries render to: one line, sections as tables, comments as marks. */
function compiledComponents(content: Content): string {
  const { lang, subject, preheader, title, paragraphs, button, footer } = content;
  const section = (inner: string) =>
    `<table align="center" width="100%" border="0" cellPadding="0" cellSpacing="0" role="presentation"><tbody><tr><td>${inner}</td></tr></tbody></table>`;
  const link = button
    ? `<a href="${button.url}" style="line-height:100%;text-decoration:none;display:inline-block;max-width:100%;mso-padding-alt:0px;background-color:#111827;border-radius:6px;color:#fff;font-size:15px;padding:12px 20px" target="_blank"><span><!--[if mso]><i style="mso-font-width:500%;mso-text-raise:18" hidden>&#8202;&#8202;</i><![endif]--></span><span style="max-width:100%;display:inline-block;line-height:120%;mso-padding-alt:0px;mso-text-raise:9px">${button.text}</span><span><!--[if mso]><i style="mso-font-width:500%" hidden>&#8202;&#8202;&#8203;</i><![endif]--></span></a>`
    : '';
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><html dir="ltr" lang="${lang}"><head><meta content="text/html; charset=UTF-8" http-equiv="Content-Type"/><meta name="x-apple-disable-message-reformatting"/><title>${subject}</title></head><body style="background-color:rgb(246,249,252)"><!--$--><div style="display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0" data-skip-in-text="true">${preheader}<div>${' \u200c\u200b\u200d\u200e\u200f\ufeff'.repeat(30)}</div></div><table align="center" width="100%" border="0" cellPadding="0" cellSpacing="0" role="presentation" style="max-width:37.5em;background-color:#ffffff;margin:0 auto;padding:20px 0 48px"><tbody><tr style="width:100%"><td>${section(`<h1 style="font-size:24px;color:#111827;${FONT}">${title}</h1>`)}${paragraphs.map((text) => `<p style="font-size:16px;line-height:26px;margin:16px 0;color:rgb(64, 64, 64)">${text}</p>`).join('')}${picture(content)}${rows(content)}${section(link || '&nbsp;')}<hr style="width:100%;border:none;border-top:1px solid #eaeaea;border-color:#e6ebf1;margin:20px 0"/>${section(`<p style="font-size:12px;line-height:16px;color:#6b7280;margin:16px 0">${footer}</p>`)}</td></tr></tbody></table><!--7--><!--/$--></body></html>`;
}

/** A letter without any layout. */
function plainLetter({ lang, subject, title, paragraphs, button, footer }: Content): string {
  return `<!doctype html>
<html lang="${lang}"><head><meta charset=utf-8><title>${subject}</title></head>
<body>
<p><b>${title}</b>
${paragraphs.map((text) => `<p>${text}`).join('\n')}
${button ? `<p><a href="${button.url}">${button.text}</a>` : ''}
<ul><li>Open from 9 to 17<li>Closed on Sundays</ul>
<p><small>${footer}</small>
</body></html>`;
}

function picture({ image }: Content): string {
  if (!image) return '';
  return `<img src="${image.src}" alt="${image.alt}" width="520" border="0" style="display:block;width:100%;max-width:520px;height:auto;object-fit:cover" />`;
}

function rows({ rows: lines = [] }: Content): string {
  if (lines.length === 0) return '';
  const cells = lines.map(([label, amount]) => `<tr><td>${label}</td><td align="right">${amount}</td></tr>`);
  return `<table width="100%"><thead><tr><th align="left" scope="col">Item</th><th align="right" scope="col">Amount</th></tr></thead><tbody>${cells.join('')}</tbody></table>`;
}

function tableButton({ button }: Content): string {
  if (!button) return '';
  return `<table border="0" cellspacing="0" cellpadding="0" role="presentation"><tr><td align="center" bgcolor="#1f6f54" style="border-radius:3px"><a href="${button.url}" class="btn" target="_blank" rel="noopener" style="background-color:#1f6f54;border-top:10px solid #1f6f54;border-bottom:10px solid #1f6f54;display:inline-block;color:#FFF;text-decoration:none;border-radius:3px;box-shadow:0 2px 3px rgba(0, 0, 0, 0.16);-webkit-text-size-adjust:none;box-sizing:border-box">${button.text}</a></td></tr></table>`;
}
