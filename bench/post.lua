-- What wrk sends, taken from the environment, and one line of JSON about the run. Latencies are milliseconds.
wrk.method = os.getenv('BENCH_METHOD')
if os.getenv('BENCH_BODY') then
  local file = assert(io.open(os.getenv('BENCH_BODY'), 'rb'))
  wrk.body = file:read('*a')
  file:close()
end
for name, value in os.getenv('BENCH_HEADERS'):gmatch('([^:\n]+): ([^\n]*)') do wrk.headers[name] = value end

-- Two requests of an MCP session must not have the same id while both are open.
local head, tail = (wrk.body or ''):match('^(.*)%[<id>%](.*)$')
if head then
  local sent = 0
  function request()
    sent = sent + 1
    return wrk.format(nil, nil, nil, head .. sent .. tail)
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'result {"replies":%d,"seconds":%f,"p50":%f,"p99":%f,"errors":%d,"bytes":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout, summary.bytes))
end
