/** A template as SendGrid's API gives it, with two versions. */
export const shipped = {
  id: 'd-c6dcd1f72bdd4beeb15a9aa6c72fcd2c',
  name: 'Order shipped',
  generation: 'dynamic',
  updated_at: '2024-05-02 10:00:00',
  versions: [
    {
      id: 'v2',
      template_id: 'd-c6dcd1f72bdd4beeb15a9aa6c72fcd2c',
      active: 1,
      name: 'with list',
      html_content:
        '<p>{{insert name "default=there"}}</p>\n{{#each items}}<p>{{this.title}}</p>{{/each}}\n<a href="{{{unsubscribe}}}">stop</a>',
      plain_content: 'Hi {{insert name "default=there"}}',
      generate_plain_content: false,
      subject: 'Sent, {{name}}',
      updated_at: '2024-05-02 10:00:00',
      editor: 'code',
      test_data: '{"name":"Ana","items":[{"title":"Mug"}],"unsubscribe_url":"https://example.com/u"}',
    },
    {
      id: 'v1',
      active: 0,
      name: 'first',
      html_content: '<p>Sent, {{name}}</p>',
      subject: 'Sent',
      updated_at: '2024-05-01 10:00:00',
    },
  ],
};
