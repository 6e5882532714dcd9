/** Three mails as MJML documents: text and a button, columns with images, and a hero over a background image. */
export const MJML_SOURCES: Readonly<Record<string, string>> = {
  'text and a button': `<mjml lang="en"><mj-head><mj-title>Trial ends</mj-title><mj-preview>Your trial ends on Friday</mj-preview>
<mj-attributes><mj-all font-family="Arial, sans-serif" /></mj-attributes></mj-head>
<mj-body background-color="#f4f4f4"><mj-section background-color="#ffffff"><mj-column>
<mj-text font-size="20px" color="#1c2b36">Your trial ends on Friday</mj-text><mj-divider border-color="#1f6f54" />
<mj-button background-color="#1f6f54" href="https://harbour.example/plans">Choose a plan</mj-button>
<mj-text font-size="13px" color="#51606b"><a href="https://harbour.example/unsubscribe">Unsubscribe</a></mj-text>
</mj-column></mj-section></mj-body></mjml>`,
  'columns with images': `<mjml lang="en"><mj-head><mj-title>New in</mj-title><mj-font name="Inter" href="https://fonts.googleapis.com/css?family=Inter" />
<mj-style>.card { padding: 4px } @media (prefers-color-scheme: dark) { .card { color: #fff } }</mj-style></mj-head>
<mj-body><mj-section><mj-column css-class="card"><mj-image width="280px" src="https://img.harbour.example/a.jpg" alt="A blue jumper" href="https://harbour.example/a" />
<mj-text font-family="Inter, Arial">Blue jumper</mj-text></mj-column><mj-column><mj-image src="https://img.harbour.example/b.png" alt="Socks" />
<mj-text>Socks</mj-text></mj-column></mj-section><mj-section><mj-column><mj-table><tr><th>Size</th><th>Price</th></tr><tr><td>M</td><td>48 €</td></tr></mj-table>
<mj-social mode="horizontal"><mj-social-element name="github" href="https://harbour.example/code">Code</mj-social-element></mj-social></mj-column></mj-section></mj-body></mjml>`,
  'a hero over an image': `<mjml lang="es"><mj-head><mj-title>Hola</mj-title></mj-head><mj-body>
<mj-wrapper background-color="#0b5c8a"><mj-section background-url="https://img.harbour.example/waves.png" background-color="#0b5c8a" background-size="cover"><mj-column>
<mj-text color="#ffffff" font-size="28px">Bienvenida</mj-text></mj-column></mj-section></mj-wrapper>
<mj-hero mode="fixed-height" height="240px" background-width="600px" background-height="240px" background-url="https://img.harbour.example/sea.jpg" background-color="#123456">
<mj-text color="#ffffff">El mar</mj-text><mj-button href="https://puerto.example/mar">Ver el mar</mj-button></mj-hero>
<mj-raw><!-- fin --></mj-raw></mj-body></mjml>`,
};
