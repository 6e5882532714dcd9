-- What wrk sends, taken from the environment, and one line of JSON about the run. Latencies are milliseconds.
wrk.method = os.getenv('BENCH_METHOD')
if os.getenv('BENCH_BODY') then
  local file = assert(io.open(os.getenv('BENCH_BODY'), 'rb'))
  wrk.body = file:read('*a')
  file:close()
  wrk.headers['content-type'] = 'application/json'
end
if os.getenv('BENCH_AUTHORIZATION') then wrk.headers['authorization'] = os.getenv('BENCH_AUTHORIZATION') end
if os.getenv('BENCH_ACCEPT') then wrk.headers['accept'] = os.getenv('BENCH_ACCEPT') end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'result {"replies":%d,"seconds":%f,"p50":%f,"p99":%f,"errors":%d,"bytes":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout, summary.bytes))
end
