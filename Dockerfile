FROM python:3.13-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS base

FROM base AS build
WORKDIR /source
RUN python -m venv --without-pip /opt/oxo
# Dependencies rarely change, so they have a layer of their own, before the source.
COPY requirements.lock ./
RUN pip --python /opt/oxo/bin/python install --no-cache-dir --require-hashes -r requirements.lock
# What builds the package stays in this stage.
COPY requirements-build.lock ./
RUN pip install --no-cache-dir --require-hashes -r requirements-build.lock
COPY . ./
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheel . \
    && pip --python /opt/oxo/bin/python install --no-cache-dir --no-deps /wheel/*.whl

FROM base
RUN useradd --uid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin oxo \
    && install --directory --owner oxo --group oxo /data
COPY --from=build /opt/oxo /opt/oxo
ENV PATH=/opt/oxo/bin:$PATH \
    DATABASE_URL=sqlite:////data/oxo.db
USER 10001
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as web; web.build_opener(web.ProxyHandler({})).open('http://127.0.0.1:' + (os.environ.get('HTTP_PORT') or '8081') + '/healthz', timeout=4)"]
CMD ["python", "-m", "bot"]
