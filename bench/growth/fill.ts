import postgres from 'postgres';

/** One template whose rows the others copy: what the product wrote itself. */
export const SEED = 'seed';
/** The template with the long history. */
export const LONG = 'long';

/**
 * Copies rows until the account has `n` templates, its template `long` has `n` versions, its history has `n` generations of a
 * hook, it has `n` videos, and the server has `n` other
 * accounts with a key each. Written in SQL as the product would have, one after the other.
 */
export async function fill(databaseUrl: string, accountId: string, n: number): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await sql.begin(async (tx) => {
    // What is copied refers to what is copied too: no row needs its references checked.
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into templates (id, account_id, name, kind, description, tags)
      select 'tpl_grown' || i, account_id, 'grown-' || i, kind, description, tags
      from templates, generate_series(1, ${n}::int) i where account_id = ${accountId} and name = ${SEED}`;
    await tx`
      insert into versions (id, account_id, template_id, seq, label, branch, parents, content, variables, uses, bump,
        bump_reason, message, author)
      select 'ver_grown' || i, v.account_id, 'tpl_grown' || i, v.seq, v.label, v.branch, v.parents, v.content,
        v.variables, v.uses, v.bump, v.bump_reason, v.message, v.author
      from versions v join templates t on t.id = v.template_id, generate_series(1, ${n}::int) i
      where t.account_id = ${accountId} and t.name = ${SEED}`;
    await tx`
      insert into branches (account_id, template_id, name, head, base, description)
      select ${accountId}, 'tpl_grown' || i, 'main', 'ver_grown' || i, 'ver_grown' || i, ''
      from generate_series(1, ${n}::int) i`;
    await tx`
      insert into pointers (account_id, template_id, environment, version_id)
      select p.account_id, 'tpl_grown' || i, p.environment, 'ver_grown' || i
      from pointers p join templates t on t.id = p.template_id, generate_series(1, ${n}::int) i
      where t.account_id = ${accountId} and t.name = ${SEED}`;
    await tx`
      insert into versions (id, account_id, template_id, seq, label, branch, parents, content, variables, uses, bump,
        bump_reason, message, author)
      select 'ver_long' || i, v.account_id, v.template_id, v.seq + i, 'v1.0.' || i, v.branch,
        array[case i when 1 then v.id else 'ver_long' || (i - 1) end], v.content, v.variables, v.uses, 'patch',
        v.bump_reason, v.message, v.author
      from versions v join templates t on t.id = v.template_id, generate_series(1, ${n}::int) i
      where t.account_id = ${accountId} and t.name = ${LONG} and v.seq = 1`;
    await tx`
      update branches set head = 'ver_long' || ${n}::int
      where account_id = ${accountId} and name = 'main'
        and template_id = (select id from templates where account_id = ${accountId} and name = ${LONG})`;
    await tx`
      insert into generations (id, account_id, actor, topic, platform, language, provider, requested)
      select 'gen_grown' || i, ${accountId}, 'bench', 'topic ' || i, 'generic', 'en', 'builtin', 1
      from generate_series(1, ${n}::int) i`;
    await tx`
      insert into hooks (id, account_id, generation_id, position, text, style, score, why, pattern, chars, seconds, flags)
      select 'hook_grown' || i, ${accountId}, 'gen_grown' || i, 0, md5(i::text) || ' nobody mentions', 'curiosity', 70, '',
        '', 40, 2, '{}'
      from generate_series(1, ${n}::int) i`;
    await tx`
      insert into accounts (id, name, seeded) select 'acc_grown' || i, 'shop ' || i, true from generate_series(1, ${n}::int) i`;
    await tx`
      insert into api_keys (id, account_id, name, origin, public_id, secret_sha256, mask, scopes, ip_whitelist)
      select 'key_grown' || i, 'acc_grown' || i, k.name, k.origin, 'grown' || i, k.secret_sha256, k.mask, k.scopes, k.ip_whitelist
      from (select * from api_keys where account_id = ${accountId} limit 1) k, generate_series(1, ${n}::int) i`;
    await tx`
      insert into videos (id, account_id, title, duration, template, format, quality, width, height, fps, frames,
        poster_frame, request, page, status)
      select 'vid_grown' || i, account_id, title, duration, template, format, quality, width, height, fps, frames,
        poster_frame, request, page, 'canceled'
      from (select * from videos where account_id = ${accountId} limit 1) v, generate_series(1, ${n}::int) i`;
  });
  await sql`vacuum analyze`;
  await sql.end();
}
