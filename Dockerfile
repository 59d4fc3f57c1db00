FROM node:20-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM packages AS build
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:20-slim
WORKDIR /app
# The key for administration has to be given: one made up would be gone with the container.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
RUN install -d -o node -g node -m 0700 /data \
  && ln -s /app/dist/cli/main.js /usr/local/bin/laurel
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE schema.graphql ./
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
