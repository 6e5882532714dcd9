FROM node:24-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json ./
# The browser and ffmpeg come from the system, so the packages that stand in for them stay out.
RUN npm ci --omit=dev --omit=optional
# Elsewhere the packages for S3 and traces are the operator's choice; here they are in, as the lock file has them.
RUN npm install --no-save --save-prod --omit=dev --omit=optional --no-audit --no-fund \
  $(node -p 'const { peerDependencies, devDependencies } = require("./package.json"); Object.keys(peerDependencies).map((name) => `${name}@${devDependencies[name]}`).join(" ")')

FROM node:24-bookworm-slim AS client
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY content content
COPY locales locales
COPY web web
RUN node --disable-warning=ExperimentalWarning web/build.ts

FROM node:24-bookworm-slim
LABEL io.modelcontextprotocol.server.name="io.github.stallhand/stallhand"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data/stallhand NODE_COMPILE_CACHE=/tmp/compile-cache
WORKDIR /app
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium-headless-shell ffmpeg fonts-liberation tini \
  && rm -rf /var/lib/apt/lists/*
COPY --from=modules /app/node_modules node_modules
COPY package.json ./
COPY migrations migrations
COPY prompts prompts
COPY content content
COPY locales locales
COPY src src
COPY tools tools
COPY http http
COPY views views
COPY --from=client /app/web/dist web/dist
COPY docs docs
COPY cli cli
COPY bin bin
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Collects the processes of browsers that died, which the first process of a container must.
ENTRYPOINT ["tini", "--"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=8", "http/main.ts"]
