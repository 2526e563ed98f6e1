"""Settings of the evaluation. The model that writes, and its prices, are those of the installation."""

from pydantic import Field, PositiveInt, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class EvaluationSettings(BaseSettings):
    """The environment variables are the field names in capitals, after EVALUATION_."""

    model_config = SettingsConfigDict(env_prefix="EVALUATION_", frozen=True, env_ignore_empty=True, extra="ignore")

    judge_model: str | None = Field(None, description="model that judges; none: rules alone")
    judge_base_url: str | None = Field(None, description="its server, if it is not that of OPENAI_BASE_URL")
    judge_api_key: SecretStr | None = Field(None, description="its key, if it is not OPENAI_API_KEY")
    concurrency: PositiveInt = Field(4, description="templates that are written with at a time")
    budget_cents: float = Field(100, ge=0, description="most that a round may cost, in US cents; 0: no limit")
